// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AliasAnalysis.h>

namespace ipusim::codelets {

/// A number for each access of a block: accesses with different numbers never overlap. Blocks with
/// very many accesses get none.
llvm::DenseMap<const llvm::Instruction*, unsigned> aliasClassesOf(llvm::BasicBlock& block,
                                                                  llvm::AAResults& aliases);

}  // namespace ipusim::codelets
