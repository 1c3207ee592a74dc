// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/alias_classes.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace ipusim::codelets {
namespace {

constexpr std::size_t kMostAccesses = 200;  // pairs are compared

}  // namespace

llvm::DenseMap<const llvm::Instruction*, unsigned> aliasClassesOf(llvm::BasicBlock& block,
                                                                  llvm::AAResults& aliases) {
  std::vector<llvm::Instruction*> accesses;
  for (llvm::Instruction& instruction : block) {
    if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) accesses.push_back(&instruction);
  }
  llvm::DenseMap<const llvm::Instruction*, unsigned> numbers;
  if (accesses.size() > kMostAccesses) return numbers;
  llvm::EquivalenceClasses<llvm::Instruction*> classes;
  for (std::size_t n = 0; n < accesses.size(); ++n) {
    classes.insert(accesses[n]);
    for (std::size_t other = 0; other < n; ++other) {
      if (!aliases.isNoAlias(llvm::MemoryLocation::get(accesses[n]),
                             llvm::MemoryLocation::get(accesses[other]))) {
        classes.unionSets(accesses[n], accesses[other]);
      }
    }
  }
  unsigned next = 0;
  llvm::DenseMap<const llvm::Instruction*, unsigned> of_leader;
  for (llvm::Instruction* const access : accesses) {
    const auto [entry, is_new] = of_leader.try_emplace(classes.getLeaderValue(access), next + 1);
    if (is_new) ++next;
    numbers[access] = entry->second;
  }
  return numbers;
}

}  // namespace ipusim::codelets
