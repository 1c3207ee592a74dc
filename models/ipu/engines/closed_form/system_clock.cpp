// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/system_clock.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::models {

namespace {

/// Clocks of the IPUs, each with a copy of its program.
std::deque<StepClock> clocksOf(const SystemPrograms& system) {
  verify(system);
  std::deque<StepClock> clocks;
  for (const std::uint32_t chip : system.chip_of_ipu) clocks.emplace_back(system.chips[chip]);
  return clocks;
}

std::vector<const ChipPrograms*> programsOf(const std::deque<StepClock>& clocks) {
  std::vector<const ChipPrograms*> programs;
  for (const StepClock& clock : clocks) programs.push_back(&clock.programs());
  return programs;
}

}  // namespace

SystemClock::SystemClock(const SystemPrograms& system)
    : clocks_(clocksOf(system)),
      tiles_per_ipu_(static_cast<std::uint32_t>(system.chips.front().tiles.size())),
      exchanges_(system.exchanges),
      barriers_(exchanges_, system.link_sets, programsOf(clocks_)) {}

void SystemClock::setCycles(StepId step, std::uint32_t tile, std::uint32_t run, Cycles cycles) {
  clockOf(tile).setCycles(step, tile % tiles_per_ipu_, run, cycles);
}

void SystemClock::play(StepId step) {
  if (const TileOp* const barrier = clocks_.front().barrierIn(step)) {
    return barriers_.pass(*barrier, 1, clocks_);
  }
  for (StepClock& clock : clocks_) clock.play(step);
}

void SystemClock::sync() {
  for (StepClock& clock : clocks_) clock.sync();
  if (clocks_.size() == 1) return;
  const Cycles release = barriers_.externalSync(clocks_);
  for (StepClock& clock : clocks_) clock.hold(release);
}

Cycles SystemClock::now(std::uint32_t tile) const {
  return clocks_[tile / tiles_per_ipu_].now(tile % tiles_per_ipu_);
}

Cycles SystemClock::end() const {
  Cycles end;
  for (const StepClock& clock : clocks_) end = std::max(end, clock.end());
  return end;
}

ChipResult SystemClock::result() const {
  ChipResult all;
  all.tiles = tiles_per_ipu_ * static_cast<std::uint32_t>(clocks_.size());
  all.busy.reserve(plays().size() * all.tiles);
  for (std::size_t s = 0; s < plays().size(); ++s) {
    for (const StepClock& clock : clocks_) {
      const auto row = clock.busy().begin() + static_cast<std::ptrdiff_t>(s * tiles_per_ipu_);
      all.busy.insert(all.busy.end(), row, row + tiles_per_ipu_);
    }
  }
  return all;
}

void SystemClock::forget() {
  for (StepClock& clock : clocks_) clock.forget();
  std::fill(barriers_.links().begin(), barriers_.links().end(), LinkUse());
}

void SystemClock::startRecord() {
  for (StepClock& clock : clocks_) clock.startRecord();
}

RecordedRun SystemClock::recorded() const {
  RecordedRun run;
  run.programs.exchanges = exchanges_;
  run.programs.link_sets = static_cast<std::uint32_t>(links().size());
  for (const StepClock& clock : clocks_) {
    run.programs.chip_of_ipu.push_back(static_cast<std::uint32_t>(run.programs.chips.size()));
    run.programs.chips.push_back(clock.recorded());
    run.ipus.push_back(clock.record());
  }
  return run;
}

}  // namespace ipusim::models
