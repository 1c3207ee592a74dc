// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>

namespace ipusim::codelets {

/// What LLVM's optimiser asks about the tile: addresses, steps, registers, the width of vectors,
/// loops that an instruction counts. Source: poplar/tile_compiler/machine_facts.h.
llvm::TargetIRAnalysis tileAnalysis();

/// True for a loop that a branch instruction of the tile can count: its trips are known before it
/// starts, fit 32 bits, and it ends in one place.
bool isCountable(llvm::Loop& loop, llvm::ScalarEvolution& evolution);

}  // namespace ipusim::codelets
