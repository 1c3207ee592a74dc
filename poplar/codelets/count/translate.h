// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

#include <string>
#include <vector>

#include "poplar/codelets/count/counted_loops.h"
#include "poplar/codelets/count/places.h"
#include "poplar/tile_compiler/function.h"

namespace ipusim::codelets {

/// A function in the form that the model of the tile's compiler reads, and what leads back.
struct Translated {
  tile_compiler::Function function;
  std::vector<llvm::BasicBlock*> blocks;              ///< of the code, by number of the block
  llvm::DenseMap<unsigned, llvm::Value*> conditions;  ///< of selects, by value
  std::vector<std::string> callees;
};

/// True for functions of the C library that the tile's compiler has instructions for.
bool isOneInstruction(const std::string& callee);

/// Translates optimised code. Values of types that the tile has no register for become several;
/// what has no counterpart becomes a call.
Translated translate(llvm::Function& function, TileOptimiser& optimiser,
                     const llvm::DenseMap<const llvm::BasicBlock*, CountedLoop>& loops,
                     Places& places);

}  // namespace ipusim::codelets
