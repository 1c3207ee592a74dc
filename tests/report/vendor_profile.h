// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "ipusim/tile_program.h"
#include "sim/run/simulate.h"

// What the vendor's profiler would write about a simulated run: the profiles as JSON that its SDK
// had up to 2.1. Only for programs in which every step takes as long in each of its iterations.

namespace ipusim::report {

/// As Engine::getGraphProfile().
nlohmann::ordered_json graphProfileOf(const run::Experiment& experiment,
                                      const ChipResult& measured);

/// As Engine::getExecutionProfile().
nlohmann::ordered_json executionProfileOf(const run::Experiment& experiment,
                                          const ChipResult& measured);

}  // namespace ipusim::report
