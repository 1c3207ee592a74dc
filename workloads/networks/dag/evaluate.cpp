// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/evaluate.h"

#include "ipusim/error.h"

namespace ipusim::workloads {

std::vector<TensorValues> evaluate(const NetworkGraph& graph,
                                   const std::unordered_map<std::size_t, TensorValues>& sources) {
  std::vector<TensorValues> values(graph.tensors().size());
  for (const auto& [tensor, of_source] : sources) {
    check(of_source.size() == elementsOf(graph.tensors().at(tensor).type.shape),
          "as many values as the source has elements");
    values[tensor] = of_source;
  }
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (sources.count(t) == 0) values[t] = graph.tensors()[t].values;
  }
  for (const NetworkNode& node : graph.nodes()) {
    NumberedTensors operands;
    for (const NetworkTensorId operand : node.operands) {
      operands.push_back({graph[operand].type, values[indexOf(operand)]});
    }
    std::vector<TensorValues> results = node.operation->compute(operands);
    for (std::size_t r = 0; r < results.size(); ++r) {
      values[indexOf(node.results[r])] = std::move(results[r]);
    }
  }
  return values;
}

}  // namespace ipusim::workloads
