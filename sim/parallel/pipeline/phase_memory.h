// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "sim/parallel/pipeline/phase_plan.h"

// What lies on an IPU while a phase runs, and what lies in streaming memory over a step.

namespace ipusim::parallel {

struct PhaseMemory {
  HeldBytes held = {};  ///< all tiles together
  Bytes max_tile_bytes;
  std::optional<StageOverflow> overflow;

  [[nodiscard]] Bytes total() const;
};

/// One entry per phase: the IPU that computes. On it are the code of all its sections, each
/// distinct program once; data of all its sections that are not offloaded; the data of the phase
/// itself; and where parameters move beside the computing of that IPU, room for those of the phase
/// before and after, in turn. I/O tiles hold the next row, the row before, and the part of the
/// parameters that moves beside one micro-batch. They follow the tiles that compute.
std::vector<PhaseMemory> phaseMemories(const ParallelTraining& training,
                                       const std::vector<Section>& sections,
                                       const std::vector<Phase>& phases);

/// One entry per IPU of a replica. Rows have a place of their own for each micro-batch, and so have
/// their gradients.
std::vector<Bytes> streamingBytes(const ParallelTraining& training,
                                  const std::vector<Section>& sections);

}  // namespace ipusim::parallel
