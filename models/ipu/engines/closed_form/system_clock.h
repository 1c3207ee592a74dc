// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/ipu/engines/closed_form/chip_barriers.h"
#include "models/ipu/engines/closed_form/step_clock.h"
#include "models/ipu/program/system_program.h"

namespace ipusim::models {

/// The time of one IPU or of several that run the steps of a program in an order that is found on
/// the way. Tile t of IPU i has the number i * (tiles of an IPU) + t. After steps in the order of a
/// program it shows what closedForm() computes for that program.
class SystemClock {
 public:
  /// The tiles of every program have each step once, and no Repeat.
  explicit SystemClock(const SystemPrograms& system);
  SystemClock(const SystemClock&) = delete;
  SystemClock& operator=(const SystemClock&) = delete;

  /// The calls of StepClock, over all IPUs.
  void setCycles(StepId step, std::uint32_t tile, std::uint32_t run, Cycles cycles);
  void play(StepId step);
  /// All tiles of all IPUs meet: those of an IPU at its controller, and then the IPUs.
  void sync();
  [[nodiscard]] Cycles now(std::uint32_t tile) const;
  [[nodiscard]] Cycles end() const;
  [[nodiscard]] ChipResult result() const;
  [[nodiscard]] const std::vector<std::uint64_t>& plays() const { return clocks_.front().plays(); }
  void forget();

  /// What each set of links carried since the last forget().
  [[nodiscard]] const std::vector<LinkUse>& links() const { return barriers_.links(); }
  /// Writes down from now on what is played, as StepClock does.
  void startRecord();
  /// The steps that were played since then, with a program for every IPU.
  [[nodiscard]] RecordedRun recorded() const;

 private:
  [[nodiscard]] StepClock& clockOf(std::uint32_t tile) { return clocks_[tile / tiles_per_ipu_]; }

  std::deque<StepClock> clocks_;  ///< one entry per IPU; a clock has parts that know its place
  std::uint32_t tiles_per_ipu_;
  std::vector<GlobalExchange> exchanges_;
  ChipBarriers barriers_;
};

}  // namespace ipusim::models
