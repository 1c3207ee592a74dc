// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/steps.h"

#include <algorithm>

#include "poplar/tile_compiler/machine_facts.h"

namespace ipusim::tile_compiler {
namespace {

bool isAccess(const Operation& operation) {
  return operation.op == Op::Load || operation.op == Op::Store;
}

const Operand& pointerOf(const Operation& access) {
  return access.operands[access.op == Op::Load ? 0 : 1];
}

bool looksAt(const Operation& access, ValueId pointer) {
  return pointerOf(access).isValue() && pointerOf(access).value == pointer;
}

/// True when the instruction of an access can step by `bytes`.
bool canStep(const Operation& access, std::int64_t bytes) {
  const unsigned natural = std::min(bytesOf(access.type), 8U);
  const unsigned unit = std::min(natural, access.alignment);
  const bool is_whole = access.alignment >= std::min(natural, kWordBytes);
  const bool is_called = access.op == Op::Store && natural < kWordBytes;
  const std::int64_t steps = unit == 0 ? 0 : bytes / unit;
  return is_whole && !is_called && unit != 0 && bytes % unit == 0 && steps >= kStepLow &&
         steps <= kStepHigh;
}

class StepFinder {
 public:
  StepFinder(const Function& function, const Uses& uses) : function_(function), uses_(uses) {}

  std::vector<Step> find() {
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      const auto& operations = function_.blocks[block].operations;
      for (std::size_t index = 0; index < operations.size(); ++index) {
        consider({block, index});
      }
    }
    return steps_;
  }

 private:
  void consider(const Site& site) {
    const Operation& next = uses_.at(site);
    if (!isConstantStep(next) || !isKept(*next.result)) return;
    const ValueId pointer = next.operands[0].value;
    std::optional<Site> best;
    for (const Site& user : uses_.users(pointer)) {
      if (user.block == site.block && user.index == site.index) continue;
      if (user.block != site.block || !isOffsetOrAccess(user, pointer)) return;
      if (isAccess(uses_.at(user))) best = user;
    }
    const std::int64_t bytes = next.immediate * static_cast<std::int32_t>(next.operands[1].bits);
    if (!best || !canStep(uses_.at(*best), bytes)) return;
    const std::size_t last = lastLook(best->block, pointer);
    if (!mayMove(*best, last, pointer) || isUsedBefore(*next.result, {best->block, last})) return;
    steps_.push_back({*next.result, *best, last});
  }

  static bool isConstantStep(const Operation& operation) {
    return operation.op == Op::Offset && operation.operands[0].isValue() &&
           operation.operands[1].isConstant();
  }

  /// True when someone needs the stepped pointer in a register, rather than an address from it.
  [[nodiscard]] bool isKept(ValueId stepped) const {
    const auto keeps = [&](const Site& site) {
      const Operation& user = uses_.at(site);
      return !isAccess(user) || !looksAt(user, stepped);
    };
    const auto& users = uses_.users(stepped);
    return std::any_of(users.begin(), users.end(), keeps);
  }

  /// True for an access by the pointer, and for an offset that only accesses of the block use.
  [[nodiscard]] bool isOffsetOrAccess(const Site& site, ValueId pointer) const {
    const Operation& user = uses_.at(site);
    if (isAccess(user)) return looksAt(user, pointer);
    if (!isConstantStep(user) || static_cast<std::int32_t>(user.operands[1].bits) < 0) return false;
    const auto& users = uses_.users(*user.result);
    return std::all_of(users.begin(), users.end(), [&](const Site& place) {
      const Operation& access = uses_.at(place);
      return place.block == site.block && isAccess(access) && looksAt(access, *user.result);
    });
  }

  /// True when the access may follow all others by the pointer: only loads, or accesses by the
  /// pointer itself, stand between.
  [[nodiscard]] bool mayMove(const Site& access, std::size_t last, ValueId pointer) const {
    const auto& operations = function_.blocks[access.block].operations;
    for (std::size_t index = access.index + 1; index < last; ++index) {
      const Operation& other = operations[index];
      if (other.op == Op::Call || (other.op == Op::Store && !isBy(other, pointer))) return false;
    }
    return true;
  }

  [[nodiscard]] bool isUsedBefore(ValueId stepped, const Site& place) const {
    const auto& users = uses_.users(stepped);
    return std::any_of(users.begin(), users.end(), [&](const Site& user) {
      return user.block == place.block && user.index < place.index && uses_.at(user).op != Op::Phi;
    });
  }

  [[nodiscard]] bool isBy(const Operation& access, ValueId pointer) const {
    if (looksAt(access, pointer)) return true;
    if (!pointerOf(access).isValue()) return false;
    const Operation* const offset = uses_.definition(pointerOf(access).value);
    return offset != nullptr && isConstantStep(*offset) && offset->operands[0].value == pointer;
  }

  [[nodiscard]] std::size_t lastLook(BlockId block, ValueId pointer) const {
    std::size_t last = 0;
    const auto& operations = function_.blocks[block].operations;
    for (std::size_t index = 0; index < operations.size(); ++index) {
      if (isAccess(operations[index]) && isBy(operations[index], pointer)) last = index;
    }
    return last;
  }

  const Function& function_;
  const Uses& uses_;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> findPointerSteps(const Function& function, const Uses& uses) {
  return StepFinder(function, uses).find();
}

}  // namespace ipusim::tile_compiler
