// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "ipusim/observer.h"

namespace ipusim::report {

/// A step of the whole chip, from the end of the step before on. Its end is that of the last tile,
/// so the phases of a run follow one another without overlap.
struct ChipPhase {
  StepId step;
  Cycles begin;
  Cycles end;
  std::uint64_t iterations;
};

/// Puts together what the tiles do between two Syncs. Engines tell of tiles in orders of their own:
/// the phases wait until all tiles have passed the Sync.
class ChipTrack {
 public:
  explicit ChipTrack(std::uint32_t tiles) : superstep_of_tile_(tiles) {}

  /// Adds what a tile did. Returns the phases that are now complete.
  std::vector<ChipPhase> add(TileId tile, OpKind kind, const Interval& when);
  /// The phases of the tiles that wait for no other Sync.
  std::vector<ChipPhase> finish();

 private:
  struct Superstep {
    std::vector<ChipPhase> phases;
    std::uint32_t passed = 0;  ///< tiles that have passed its Sync
  };

  static void add(const Interval& when, Superstep& superstep);
  void take(std::vector<ChipPhase>& phases);

  std::vector<std::size_t> superstep_of_tile_;
  std::deque<Superstep> open_;
  std::size_t taken_ = 0;  // supersteps before `open_`
  Cycles end_;
};

}  // namespace ipusim::report
