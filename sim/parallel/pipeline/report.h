// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text/json.h"
#include "sim/parallel/pipeline/prediction.h"

namespace ipusim::parallel {

/// The version of the keys. It changes when a key is removed or changes its meaning.
constexpr const char* kParallelSchema = "ipusim-parallel-1";

/// One object, with its keys in a fixed order.
Json parallelJson(const ParallelTraining& training, const ParallelPrediction& prediction);

/// The prediction for people. The table of memory has 87 columns. The last line is one sentence.
std::string parallelText(const ParallelTraining& training, const ParallelPrediction& prediction);

}  // namespace ipusim::parallel
