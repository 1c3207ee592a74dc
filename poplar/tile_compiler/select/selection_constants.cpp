// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/rules.h"
#include "poplar/tile_compiler/select/selection.h"

namespace ipusim::tile_compiler {
namespace {

constexpr std::uint32_t kAllOnes = 0xFFFFFFFF;

}  // namespace

bool takesOneInstruction(std::uint32_t bits, Lane lane) {
  if (bits <= kLow20Bits || (bits & kLow20Bits) == 0) return true;
  if (lane == Lane::Aux) return bits == kAllOnes;
  return static_cast<std::int32_t>(bits) >= kAddImmediateLow && bits > kLow20Bits &&
         static_cast<std::int32_t>(bits) < 0;
}

BlockId Selection::homeOfConstants() const {
  BlockId home = block_;
  while (function_->blocks[home].preheader) home = *function_->blocks[home].preheader;
  return home;
}

RegisterPart Selection::openConstant(const OpenConstant& wanted) {
  auto& open = constants_[homeOfConstants()];
  const auto same = [&](const OpenConstant& other) {
    return other.bits == wanted.bits && other.lane == wanted.lane && other.words == wanted.words;
  };
  const auto found = std::find_if(open.begin(), open.end(), same);
  if (found != open.end()) return {found->id, RegisterPart::kWhole};
  open.push_back(wanted);
  open.back().id = newRegister(wanted.lane, wanted.words);
  return {open.back().id, RegisterPart::kWhole};
}

RegisterPart Selection::constantWord(std::uint32_t bits, Lane lane) {
  if (bits == 0) return {};
  return openConstant({bits, lane, 1, kZero});
}

RegisterPart Selection::constant(std::uint64_t bits, Type type) {
  if (!isPair(type)) return constantWord(static_cast<std::uint32_t>(bits), laneOf(type));
  if (bits == 0) return {};
  return openConstant({bits, laneOf(type), 2, kZero});
}

void Selection::makeWord(std::uint32_t bits, Lane lane, RegisterPart to) {
  if (takesOneInstruction(bits, lane)) {
    emit(lane, "setzi", {to}, {}).constant = to.word == RegisterPart::kWhole;
    return;
  }
  const RegisterPart low = temporary(lane);
  emit(lane, "setzi", {low}, {});
  emit(lane, "or", {to}, {low});
}

void Selection::placeConstants() {
  for (const OpenConstant& constant : constants_[block_]) {
    const auto low = static_cast<std::uint32_t>(constant.bits);
    if (constant.words == 1) {
      makeWord(low, constant.lane, {constant.id, RegisterPart::kWhole});
      continue;
    }
    const auto high = static_cast<std::uint32_t>(constant.bits >> 32);
    makeWord(low, constant.lane, {constant.id, 0});
    if (high == low) {
      emit(constant.lane, "mov", {{constant.id, 1}}, {{constant.id, 0}});
    } else {
      makeWord(high, constant.lane, {constant.id, 1});
    }
  }
  constants_[block_].clear();
  flushPending();
}

}  // namespace ipusim::tile_compiler
