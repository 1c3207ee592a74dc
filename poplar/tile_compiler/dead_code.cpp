// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/dead_code.h"

#include <algorithm>
#include <vector>

namespace ipusim::tile_compiler {

bool actsOnItsOwn(const Operation& operation) {
  switch (operation.op) {
    case Op::Store:
    case Op::Call:
    case Op::Alloca:
    case Op::LoopEntry:
    case Op::LoopBranch:
    case Op::Return:
    case Op::Branch:
    case Op::CondBranch:
      return true;
    default:
      return false;
  }
}

namespace {

/// The operation that makes each value; null for a value that no operation makes.
std::vector<const Operation*> makersOf(const Function& function) {
  std::vector<const Operation*> makers(function.values.size(), nullptr);
  for (const BasicBlock& block : function.blocks) {
    for (const Operation& operation : block.operations) {
      if (operation.result) makers[*operation.result] = &operation;
    }
  }
  return makers;
}

std::vector<const Operation*> actingOperations(const Function& function) {
  std::vector<const Operation*> acting;
  for (const BasicBlock& block : function.blocks) {
    for (const Operation& operation : block.operations) {
      if (actsOnItsOwn(operation)) acting.push_back(&operation);
    }
  }
  return acting;
}

/// The values that operations need which act on their own, and all that goes into those.
std::vector<bool> neededValues(const Function& function) {
  const std::vector<const Operation*> makers = makersOf(function);
  std::vector<const Operation*> open = actingOperations(function);
  std::vector<bool> needed(function.values.size(), false);
  while (!open.empty()) {
    const std::vector<Operand>& operands = open.back()->operands;
    open.pop_back();
    for (const Operand& operand : operands) {
      if (!operand.isValue() || needed[operand.value]) continue;
      needed[operand.value] = true;
      if (makers[operand.value] != nullptr) open.push_back(makers[operand.value]);
    }
  }
  return needed;
}

}  // namespace

void removeDeadCode(Function& function) {
  const std::vector<bool> needed = neededValues(function);
  const auto is_dead = [&](const Operation& operation) {
    return !actsOnItsOwn(operation) && !(operation.result && needed[*operation.result]);
  };
  for (BasicBlock& block : function.blocks) {
    auto& all = block.operations;
    all.erase(std::remove_if(all.begin(), all.end(), is_dead), all.end());
  }
}

}  // namespace ipusim::tile_compiler
