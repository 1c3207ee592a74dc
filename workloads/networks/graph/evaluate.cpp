// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/evaluate.h"

#include "base/error_boundary.h"
#include "ipusim/error.h"
#include "workloads/networks/graph/rounding_probe.h"

namespace ipusim::workloads {

namespace {

void roundTo(ElementType type, TensorValues& values) {
  for (double& value : values) value = roundedTo(type, value);
}

using SourceValues = std::unordered_map<std::size_t, TensorValues>;

/// The values of all tensors before the first node is computed.
std::vector<TensorValues> valuesBefore(const NetworkGraph& graph, const SourceValues& sources) {
  std::vector<TensorValues> values(graph.tensors().size());
  for (const auto& [tensor, of_source] : sources) {
    check(of_source.size() == elementsOf(graph.tensors().at(tensor).type.shape),
          "as many values as the source has elements");
    values[tensor] = of_source;
  }
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (sources.count(t) == 0) values[t] = graph.tensors()[t].values;
  }
  return values;
}

/// Computes all nodes by `results_of(n, operands)`, where n is the number of a node.
template <typename ResultsOf>
std::vector<TensorValues> evaluateBy(const NetworkGraph& graph, const SourceValues& sources,
                                     const ResultsOf& results_of) {
  std::vector<TensorValues> values = valuesBefore(graph, sources);
  for (std::size_t n = 0; n < graph.nodes().size(); ++n) {
    const NetworkNode& node = graph.nodes()[n];
    NumberedTensors operands;
    for (const NetworkTensorId operand : node.operands) {
      operands.push_back({graph[operand].type, values[indexOf(operand)]});
    }
    std::vector<TensorValues> found = translateErrors<OperandError>(
        [&] { return results_of(n, operands); },
        [&](const OperandError& error) { return OperandError(node.name, error); });
    for (std::size_t r = 0; r < found.size(); ++r) {
      values[indexOf(node.results[r])] = std::move(found[r]);
    }
  }
  return values;
}

}  // namespace

std::vector<TensorValues> evaluate(const NetworkGraph& graph, const SourceValues& sources,
                                   EvaluatedResults results) {
  return evaluateBy(graph, sources, [&](std::size_t n, const NumberedTensors& operands) {
    const NetworkNode& node = graph.nodes()[n];
    if (results == EvaluatedResults::Exact) return node.operation->compute(operands);
    std::vector<TensorValues> found = node.operation->computeRounded(operands);
    for (std::size_t r = 0; r < found.size(); ++r) {
      roundTo(graph[node.results[r]].type.type, found[r]);
    }
    return found;
  });
}

std::vector<TensorValues> evaluateProbed(const NetworkGraph& graph, const SourceValues& sources,
                                         std::uint64_t seed) {
  RoundingProbe probe(seed);
  return evaluateBy(graph, sources, [&](std::size_t n, const NumberedTensors& operands) {
    const NetworkNode& node = graph.nodes()[n];
    std::vector<TensorValues> found = node.operation->computeProbed(operands, probe);
    for (std::size_t r = 0; r < found.size(); ++r) {
      const ElementType type = graph[node.results[r]].type.type;
      for (double& value : found[r]) value = probe(type, value);
    }
    return found;
  });
}

std::vector<TensorValues> evaluateNudged(const NetworkGraph& graph, const SourceValues& sources,
                                         const std::vector<double>& nudges) {
  return evaluateBy(graph, sources, [&](std::size_t n, NumberedTensors& operands) {
    const Operation& operation = *graph.nodes()[n].operation;
    if (operation.choosesLevels()) {
      for (double& value : operands.front().values) value += nudges[n];
    }
    return operation.compute(operands);
  });
}

}  // namespace ipusim::workloads
