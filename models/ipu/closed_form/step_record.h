// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// A vertex that takes other cycles from the `play`-th play of its step on, counted from 0.
struct CycleChange {
  StepId step;
  std::uint32_t run;  ///< of the VertexRuns of the tile in that step
  std::uint64_t play;
  Cycles cycles;
};

/// What ran in a program whose order is found on the way, and what its vertices took.
struct StepRecord {
  /// Stands for a meeting of all tiles that is no step.
  static constexpr std::uint32_t kMeeting = ~std::uint32_t{0};

  std::vector<std::uint32_t> order;               ///< steps in the order in which they ran
  std::vector<std::vector<CycleChange>> changes;  ///< one list per tile, each in order
};

/// The program of one chip that does what `record` says: its steps one after the other. `steps` is
/// what StepClock takes. The result has one step more, for meetings. Throws CountError where the
/// record has more than `most_steps` steps.
ChipPrograms replayOf(const ChipPrograms& steps, const StepRecord& record,
                      std::uint64_t most_steps);

}  // namespace ipusim::models
