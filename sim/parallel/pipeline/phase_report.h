// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text/json.h"
#include "sim/parallel/pipeline/prediction.h"

namespace ipusim::parallel {

/// One member per phase, in order.
Json phasesJson(const ParallelPrediction& prediction);

/// A table with a row for each phase.
std::string phasesText(const ParallelPrediction& prediction);

/// Such as "Phase 3 (backward of modules 2-5)".
std::string nameOf(const ParallelPrediction& prediction, std::size_t phase);

}  // namespace ipusim::parallel
