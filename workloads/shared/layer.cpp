// SPDX-License-Identifier: Apache-2.0
#include "workloads/shared/layer.h"

#include "workloads/shared/matmul_options.h"

namespace ipusim::workloads {

bool readBias(const ConfigReader& config) {
  return config.choice("bias", {"no", "yes"}, "yes") == "yes";
}

Tensor addBiasParameters(Graph& graph, const models::Machine& machine, models::ElementType type,
                         std::uint64_t elements) {
  Tensor bias = graph.addVariable(type, {elements}, "bias", Lifetime::Always);
  graph.mapLinearly(bias, machine, kLinearGrain);
  return bias;
}

void addBiasReference(const std::vector<double>& bias, std::vector<double>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += bias[i % bias.size()];
}

}  // namespace ipusim::workloads
