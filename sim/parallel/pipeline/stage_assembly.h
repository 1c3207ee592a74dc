// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/parallel/pipeline/prediction.h"

namespace ipusim::parallel {

/// Adds the times of stages to a prediction that has their costs: as a pipeline, or as shards of
/// which one works at a time.
void addStageTimes(const ParallelTraining& training, ParallelPrediction& prediction);

}  // namespace ipusim::parallel
