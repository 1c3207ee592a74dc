// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/uses.h"

#include <algorithm>
#include <numeric>

#include "poplar/tile_compiler/steps.h"

namespace ipusim::tile_compiler {

Uses::Uses(const Function& function)
    : function_(&function), definitions_(function.values.size()), users_(function.values.size()) {
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    const auto& operations = function.blocks[block].operations;
    for (std::size_t index = 0; index < operations.size(); ++index) {
      if (operations[index].result) definitions_[*operations[index].result] = Site{block, index};
      for (const Operand& operand : operations[index].operands) {
        if (operand.isValue()) users_[operand.value].push_back({block, index});
      }
    }
  }
  findSteps();
}

const Operation& Uses::at(const Site& site) const {
  return function_->blocks[site.block].operations[site.index];
}

const Operation* Uses::definition(ValueId value) const {
  return definitions_[value] ? &at(*definitions_[value]) : nullptr;
}

bool Uses::isOnlyACondition(ValueId value) const {
  const auto decides = [&](const Site& site) {
    const Operation& user = at(site);
    const bool is_first = user.operands[0].isValue() && user.operands[0].value == value;
    const bool exits = user.op == Op::Return && function_->convention == Convention::Vertex;
    return is_first && (exits || user.op == Op::CondBranch || user.op == Op::Select);
  };
  return !users_[value].empty() && std::all_of(users_[value].begin(), users_[value].end(), decides);
}

Lane Uses::laneOfValue(ValueId value) const {
  const Lane lane = laneOf(function_->values[value].type);
  const Operation* const operation = definition(value);
  if (operation == nullptr || operation->op != Op::Load || users_[value].empty()) return lane;
  const auto leaves = [&](const Site& site) {
    return at(site).op == Op::BitCast && laneOf(at(site).type) != lane;
  };
  if (!std::all_of(users_[value].begin(), users_[value].end(), leaves)) return lane;
  return lane == Lane::Main ? Lane::Aux : Lane::Main;
}

bool Uses::isFree(const Operation& operation) const {
  const Operand& from = operation.operands[0];
  if (!from.isValue()) return operation.op == Op::BitCast;
  const Value& source = function_->values[from.value];
  const Operation* const maker = definition(from.value);
  const bool is_loaded = maker != nullptr && maker->op == Op::Load;
  const bool is_flag = source.type == Type::I1;
  switch (operation.op) {
    case Op::BitCast:
      return laneOfValue(from.value) == laneOf(operation.type) &&
             wordsOf(source.type) == wordsOf(operation.type) &&
             isPair(source.type) == isPair(operation.type);
    case Op::Trunc:
      return !isVector(source.type) && wordsOf(source.type) == 1 && !is_flag &&
             operation.type != Type::I1;
    case Op::ZExt:
      return wordsOf(operation.type) == 1 && !isVector(source.type) &&
             (is_loaded || is_flag || source.extension == Extension::Zero);
    case Op::SExt:
      return wordsOf(operation.type) == 1 && !isVector(source.type) && !is_flag &&
             (is_loaded || source.extension == Extension::Sign);
    case Op::Element:
      return operation.immediate == 0 && source.type == Type::V2F16;
    default:
      return false;
  }
}

Operand Uses::resolve(Operand operand) const {
  while (operand.isValue()) {
    const Operation* const operation = definition(operand.value);
    if (operation == nullptr || operation->operands.empty() || !isFree(*operation)) break;
    operand = operation->operands[0];
  }
  return operand;
}

void Uses::findSteps() {
  for (const Step& step : findPointerSteps(*function_, *this)) {
    steps_[step.stepped] = step;
    stepped_[&at(step.access)] = step.stepped;
  }
}

std::optional<Site> Uses::stepOf(ValueId value) const {
  const auto found = steps_.find(value);
  if (found == steps_.end()) return std::nullopt;
  return found->second.access;
}

std::optional<ValueId> Uses::steppedBy(const Operation& access) const {
  const auto found = stepped_.find(&access);
  if (found == stepped_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::size_t> Uses::orderOf(BlockId block) const {
  std::vector<std::size_t> order(function_->blocks[block].operations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const auto& entry : steps_) {
    const Step& step = entry.second;
    if (step.access.block != block) continue;
    const auto access = std::find(order.begin(), order.end(), step.access.index);
    const auto after = std::find(order.begin(), order.end(), step.after);
    if (access < after) std::rotate(access, access + 1, after + 1);
  }
  return order;
}

}  // namespace ipusim::tile_compiler
