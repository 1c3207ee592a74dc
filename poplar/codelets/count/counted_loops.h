// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

#include "poplar/codelets/count/optimise.h"
#include "poplar/tile_compiler/function.h"

namespace ipusim::codelets {

/// A loop whose trips an instruction counts.
struct CountedLoop {
  llvm::BasicBlock* preheader = nullptr;
  llvm::BasicBlock* header = nullptr;
  llvm::Value* trips = nullptr;  ///< of 32 bits, made in the preheader
  tile_compiler::LoopForm form = tile_compiler::LoopForm::CountDown;
};

/// The counted loops of a function by their latch. Their trips are written into the code. The form
/// is `rpt` for innermost loops of one block without calls whose trips provably fit its counter;
/// all others count down in a register.
llvm::DenseMap<const llvm::BasicBlock*, CountedLoop> findCountedLoops(llvm::Function& function,
                                                                      TileOptimiser& optimiser);

}  // namespace ipusim::codelets
