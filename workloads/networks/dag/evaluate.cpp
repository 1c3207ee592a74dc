// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/evaluate.h"

#include "ipusim/error.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

void roundTo(ElementType type, TensorValues& values) {
  if (type == ElementType::Float) {
    for (double& value : values) value = static_cast<double>(static_cast<float>(value));
  } else if (type == ElementType::Half) {
    for (double& value : values) {
      value = static_cast<double>(static_cast<float>(Half(static_cast<float>(value))));
    }
  }
}

}  // namespace

std::vector<TensorValues> evaluate(const NetworkGraph& graph,
                                   const std::unordered_map<std::size_t, TensorValues>& sources,
                                   EvaluatedResults results) {
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
    const bool is_rounded = results == EvaluatedResults::Rounded;
    std::vector<TensorValues> found =
        is_rounded ? node.operation->computeRounded(operands) : node.operation->compute(operands);
    for (std::size_t r = 0; r < found.size(); ++r) {
      const NetworkTensorId result = node.results[r];
      if (is_rounded) roundTo(graph[result].type.type, found[r]);
      values[indexOf(result)] = std::move(found[r]);
    }
  }
  return values;
}

}  // namespace ipusim::workloads
