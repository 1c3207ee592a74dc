// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/parallel/pipeline/prediction.h"

namespace ipusim::parallel {

/// One member per phase, in order.
nlohmann::ordered_json phasesJson(const ParallelPrediction& prediction);

/// A table with a row for each phase.
std::string phasesText(const ParallelPrediction& prediction);

/// Such as "Phase 3 (backward of modules 2-5)".
std::string nameOf(const ParallelPrediction& prediction, std::size_t phase);

}  // namespace ipusim::parallel
