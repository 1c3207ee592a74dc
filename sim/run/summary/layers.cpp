// SPDX-License-Identifier: Apache-2.0
#include "sim/run/summary/layers.h"

#include <string>
#include <unordered_map>

namespace ipusim::run {

namespace {

/// Adds the cycles of a step to those of its pass. The names of nodes say the pass: see
/// addBackward, addUpdates and withCompression.
void addStep(const StepResult& step, LayerResult& layer) {
  const auto has = [&step](const char* part) { return step.name.find(part) != std::string::npos; };
  if (has("/update")) {
    layer.update += step.cycles;
  } else if (has("/gradient") || has("/again") || has("/decode/")) {
    layer.backward += step.cycles;
  } else {
    layer.forward += step.cycles;
  }
  const bool computes = step.kind == StepKind::Compute;
  (computes ? layer.compute : layer.movement) += step.cycles;
}

LayerResult withoutSteps(const workloads::LayerSummary& layer) {
  return {layer.name, layer.kind, layer.parameters, layer.forward_flops, {}, {}, {}, {}, {}};
}

}  // namespace

std::vector<LayerResult> layersOf(const std::vector<workloads::LayerSummary>& layers,
                                  const std::vector<StepResult>& steps) {
  std::vector<LayerResult> results;
  std::unordered_map<std::string, std::size_t> by_name;
  for (const workloads::LayerSummary& layer : layers) {
    by_name.emplace(layer.name, results.size());
    results.push_back(withoutSteps(layer));
  }
  for (const StepResult& step : steps) {
    if (step.kind == StepKind::Sync) continue;
    // The longest name of a layer that begins the name of the step.
    for (std::size_t end = step.name.size(); end != std::string::npos && end > 0;
         end = step.name.rfind('/', end - 1)) {
      const auto found = by_name.find(step.name.substr(0, end));
      if (found == by_name.end()) continue;
      addStep(step, results[found->second]);
      break;
    }
  }
  return results;
}

LayerResult layerOfAll(const workloads::LayerSummary& layer, const std::vector<StepResult>& steps) {
  LayerResult result = withoutSteps(layer);
  for (const StepResult& step : steps) {
    if (step.kind != StepKind::Sync) addStep(step, result);
  }
  return result;
}

}  // namespace ipusim::run
