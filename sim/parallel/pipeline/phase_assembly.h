// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/parallel/pipeline/prediction.h"

namespace ipusim::parallel {

/// Adds the phases to a prediction, and the times and memory of the IPUs that execute them.
void addPhases(const ParallelTraining& training, StageMeter& meter, ParallelPrediction& prediction);

}  // namespace ipusim::parallel
