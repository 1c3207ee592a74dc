// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/loop_control.h"

#include <string>

#include "models/ipu/engines/chip/report.h"

namespace ipusim::models {

LoopControl::LoopControl(const sc_core::sc_module_name& name, std::size_t tiles)
    : sc_module(name), told_(tiles) {}

// All tiles settle the same Repeats in the same order: the n-th Repeat of one tile is the n-th of
// all.
void LoopControl::settle(std::uint32_t tile, Cycles length) {
  const std::uint64_t index = told_[tile]++ - closed_;
  if (index == open_.size()) open_.push_back({length, 0});
  Open& repeat = open_[index];
  if (repeat.length != length) {
    reportError(kLoopReport, "tile " + std::to_string(tile) + ": an iteration of " +
                                 std::to_string(length.value()) + " cycles where others took " +
                                 std::to_string(repeat.length.value()));
  }
  if (++repeat.told == told_.size()) {
    open_.pop_front();
    ++closed_;
  }
}

}  // namespace ipusim::models
