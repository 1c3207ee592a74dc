// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/run/run_result.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

/// Puts the results of layers that are programs of their own together, as SeparateResult says.
/// `programs` has one entry per layer of `experiment`; entries of layers with equal programs are
/// not read but for the first. Leaves unset what addExperiment() sets, and the kind and the wall
/// time of the engine.
RunResult joinLayers(const Experiment& experiment, const std::vector<Result>& programs);

}  // namespace ipusim::run
