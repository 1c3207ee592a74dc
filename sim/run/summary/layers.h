// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/run/run_result.h"

namespace ipusim::run {

/// Shares the steps of a program among the layers of its network, by name. Steps of no layer are
/// left out. The cycles of a step are those of its busiest tile, all iterations together.
std::vector<LayerResult> layersOf(const std::vector<workloads::LayerSummary>& layers,
                                  const std::vector<StepResult>& steps);

/// A layer that has all steps of a program.
LayerResult layerOfAll(const workloads::LayerSummary& layer, const std::vector<StepResult>& steps);

}  // namespace ipusim::run
