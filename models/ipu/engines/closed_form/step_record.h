// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"
#include "models/ipu/program/system_program.h"

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
  /// Stands for a barrier of all tiles that is no step.
  static constexpr std::uint32_t kBarrier = ~std::uint32_t{0};

  std::vector<std::uint32_t> order;               ///< steps in the order in which they ran
  std::vector<std::vector<CycleChange>> changes;  ///< one list per tile, each in order
};

/// What ran on one IPU or on several, and their programs.
struct RecordedRun {
  /// One program per IPU, with the cycles that held at first. That of one IPU is in no pod.
  SystemPrograms programs;
  std::vector<StepRecord> ipus;  ///< one record per IPU, all with the same order
};

/// The program of one chip that does what `record` says: its steps one after the other. `steps` is
/// what StepClock takes. The result has one step more, for barriers. Throws CountError where the
/// record has more than `most_steps` steps.
ChipPrograms replayOf(const ChipPrograms& steps, const StepRecord& record,
                      std::uint64_t most_steps);

/// The programs of all IPUs that do what the records say. IPUs with equal programs share one. A
/// barrier of all tiles of several IPUs is a sync of each IPU and then the external sync, which is
/// one more exchange of the pod: it carries nothing. Throws what replayOf() for one chip throws.
SystemPrograms replayOf(const RecordedRun& run, std::uint64_t most_steps);

}  // namespace ipusim::models
