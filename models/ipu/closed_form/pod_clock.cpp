// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/closed_form/pod_clock.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "models/ipu/closed_form/closed_form_remote.h"

namespace ipusim::models {

namespace {

/// What remoteEnd() needs of a chip.
ChipPrograms transfersOf(const ChipPrograms& chip) {
  ChipPrograms transfers;
  transfers.timing = chip.timing;
  transfers.remote_transfers = chip.remote_transfers;
  return transfers;
}

}  // namespace

PodClock::PodClock(const SystemPrograms& system)
    : exchanges_(system.exchanges), links_(system.link_sets) {
  verify(system);
  for (const std::uint32_t chip : system.chip_of_ipu) {
    clocks_.emplace_back(system.chips[chip]);
    chips_.push_back(transfersOf(system.chips[chip]));
  }
  tiles_per_ipu_ = static_cast<std::uint32_t>(system.chips.front().tiles.size());
}

void PodClock::setCycles(StepId step, std::uint32_t tile, std::uint32_t run, Cycles cycles) {
  clockOf(tile).setCycles(step, tile % tiles_per_ipu_, run, cycles);
}

void PodClock::play(StepId step) {
  const TileOp* const meeting = clocks_.front().meetingIn(step);
  if (meeting == nullptr) {
    for (StepClock& clock : clocks_) clock.play(step);
    return;
  }
  if (meeting->kind == OpKind::RemoteBegin) return remoteBegin(step, meeting->first);
  const GlobalExchange& exchange = exchanges_[meeting->first];
  addLoads(exchange, 1, links_);
  const Cycles release = lastArrival() + exchange.sync + exchange.transfer;
  for (StepClock& clock : clocks_) clock.passGlobalExchange(step, release);
}

void PodClock::remoteBegin(StepId step, std::uint32_t transfer) {
  const Cycles begin = lastArrival() + chips_.front().timing.streaming.sync;
  std::vector<const ChipPrograms*> ipus;
  for (const ChipPrograms& chip : chips_) ipus.push_back(&chip);
  const Cycles end = remoteEnd(ipus, transfer, begin);
  for (StepClock& clock : clocks_) clock.passRemoteBegin(step, begin, end);
}

void PodClock::sync() {
  for (StepClock& clock : clocks_) clock.sync();
  if (clocks_.size() == 1) return;
  const Cycles release = lastArrival() + chips_.front().timing.streaming.sync;
  for (StepClock& clock : clocks_) clock.hold(release);
}

Cycles PodClock::lastArrival() const {
  Cycles last;
  for (const StepClock& clock : clocks_) last = std::max(last, clock.arrival());
  return last;
}

Cycles PodClock::now(std::uint32_t tile) const {
  return clocks_[tile / tiles_per_ipu_].now(tile % tiles_per_ipu_);
}

Cycles PodClock::end() const {
  Cycles end;
  for (const StepClock& clock : clocks_) end = std::max(end, clock.end());
  return end;
}

ChipResult PodClock::result() const {
  if (clocks_.size() == 1) return clocks_.front().result();
  ChipResult all;
  all.tiles = tiles_per_ipu_ * static_cast<std::uint32_t>(clocks_.size());
  for (std::size_t s = 0; s < plays().size(); ++s) {
    for (const StepClock& clock : clocks_) {
      const auto row =
          clock.result().busy.begin() + static_cast<std::ptrdiff_t>(s * tiles_per_ipu_);
      all.busy.insert(all.busy.end(), row, row + tiles_per_ipu_);
    }
  }
  return all;
}

void PodClock::forget() {
  for (StepClock& clock : clocks_) clock.forget();
  links_.assign(links_.size(), LinkUse());
}

void PodClock::startRecord() {
  for (StepClock& clock : clocks_) clock.startRecord();
}

RecordedRun PodClock::recorded() const {
  RecordedRun run;
  run.programs.exchanges = exchanges_;
  run.programs.link_sets = static_cast<std::uint32_t>(links_.size());
  for (const StepClock& clock : clocks_) {
    run.programs.chip_of_ipu.push_back(static_cast<std::uint32_t>(run.programs.chips.size()));
    run.programs.chips.push_back(clock.recorded());
    run.ipus.push_back(clock.record());
  }
  return run;
}

}  // namespace ipusim::models
