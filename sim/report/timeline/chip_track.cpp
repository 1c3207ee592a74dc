// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/chip_track.h"

#include <algorithm>

namespace ipusim::report {

std::vector<ChipPhase> ChipTrack::add(TileId tile, OpKind kind, const Interval& when) {
  std::size_t& number = superstep_of_tile_[tile.tile()];
  while (open_.size() <= number - taken_) open_.emplace_back();
  Superstep& superstep = open_[number - taken_];
  add(when, superstep);
  std::vector<ChipPhase> phases;
  if (kind != OpKind::Sync) return phases;
  ++number;
  if (++superstep.passed == superstep_of_tile_.size()) take(phases);
  return phases;
}

/// Iterations of a loop without a Sync are told apart by what they stand for.
void ChipTrack::add(const Interval& when, Superstep& superstep) {
  // From the back: the tiles come to a phase at about the same time.
  const auto found = std::find_if(
      superstep.phases.rbegin(), superstep.phases.rend(), [&when](const ChipPhase& phase) {
        return phase.step == when.step && phase.iterations == when.iterations;
      });
  if (found == superstep.phases.rend()) {
    superstep.phases.push_back({when.step, when.begin, when.end, when.iterations});
    return;
  }
  found->begin = std::min(found->begin, when.begin);
  found->end = std::max(found->end, when.end);
}

void ChipTrack::take(std::vector<ChipPhase>& phases) {
  std::vector<ChipPhase>& own = open_.front().phases;
  std::stable_sort(own.begin(), own.end(),
                   [](const ChipPhase& a, const ChipPhase& b) { return a.end < b.end; });
  for (ChipPhase& phase : own) {
    phase.begin = std::max(phase.begin, end_);
    if (phase.end <= phase.begin) continue;
    phases.push_back(phase);
    end_ = phase.end;
  }
  open_.pop_front();
  ++taken_;
}

std::vector<ChipPhase> ChipTrack::finish() {
  std::vector<ChipPhase> phases;
  while (!open_.empty()) take(phases);
  return phases;
}

}  // namespace ipusim::report
