// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sim/parallel/pipeline/prediction.h"

namespace ipusim::parallel {

/// The energy of an update on all IPUs and on the machines that hold them: the work of each stage,
/// clocks and leakage for the whole step, boundaries and collectives over one set of links without
/// packet headers, and streaming memory. The host moves nothing. None for phases, whose collectives
/// are known as times alone, and for a machine that has no prices. The times of `prediction` must
/// be filled in.
std::optional<run::RunEnergy> stepEnergy(const ParallelTraining& training,
                                         const ParallelPrediction& prediction);

}  // namespace ipusim::parallel
