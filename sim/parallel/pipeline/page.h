// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text/json.h"
#include "sim/parallel/pipeline/prediction.h"

namespace ipusim::parallel {

/// What the page of a prediction is drawn from: the result, and of each stage the time of its
/// passes and the bytes of its tiles as run lengths. A pipeline has its schedule.
Json parallelPageData(const ParallelTraining& training, const ParallelPrediction& prediction);

}  // namespace ipusim::parallel
