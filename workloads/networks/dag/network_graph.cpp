// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/network_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/networks/dag/node_lowering.h"

namespace ipusim::workloads {

const TensorType& GradientSite::operandType(std::size_t operand) const {
  return graph[operands.at(operand)].type;
}

OperandGradients Operation::addGradient(const GradientSite& site) const {
  throw InternalError(site.name + ": " + kind() + " has no gradient");
}

std::unique_ptr<NodeLowering> Operation::lowering(NodeSite site) const {
  throw NotLowered(std::move(site.name) + ": " + kind() + " has no steps for tiles");
}

void expectOperands(const std::vector<TensorType>& operands, std::size_t wanted) {
  if (operands.size() == wanted) return;
  throw OperandError(fmt::format("{} operand{}", wanted, wanted == 1 ? "" : "s"),
                     fmt::format("{}", operands.size()));
}

void expectOneType(const TensorTypes& operands, std::size_t first, std::size_t last) {
  for (std::size_t o = first + 1; o < last; ++o) {
    if (operands[o].type == operands[first].type) continue;
    throw OperandError(
        "operands of one type",
        fmt::format("{} and {}", nameOf(operands[first].type), nameOf(operands[o].type)));
  }
}

Flops elementwiseFlops(const TensorType& tensor, std::uint64_t per_element) {
  return Flops(elementsOf(tensor.shape)) * per_element;
}

NetworkTensorId NetworkGraph::addSource(const std::string& name, const TensorType& type,
                                        TensorRole role) {
  check(role != TensorRole::Result, "a source of a network is no result");
  tensors_.push_back({name, type, role});
  return static_cast<NetworkTensorId>(tensors_.size() - 1);
}

NetworkTensorId NetworkGraph::addConstant(const std::string& name, const TensorType& type,
                                          TensorValues values) {
  check(values.size() == elementsOf(type.shape), "a constant has a number per element");
  const NetworkTensorId constant = addSource(name, type, TensorRole::Constant);
  tensors_.back().values = std::move(values);
  return constant;
}

std::vector<NetworkTensorId> NetworkGraph::addNode(const std::string& name,
                                                   OperationPointer operation,
                                                   const std::vector<NetworkTensorId>& operands) {
  std::vector<TensorType> types;
  try {
    types = operation->infer(typesOf(operands));
  } catch (const OperandError& error) {
    throw OperandError(name + ": " + operation->kind(), error);
  }
  std::vector<NetworkTensorId> results;
  for (std::size_t r = 0; r < types.size(); ++r) {
    const std::string suffix = r == 0 ? "" : fmt::format(":{}", r);
    tensors_.push_back({name + suffix, std::move(types[r]), TensorRole::Result});
    results.push_back(static_cast<NetworkTensorId>(tensors_.size() - 1));
  }
  nodes_.push_back({name, std::move(operation), operands, results, pass_});
  return results;
}

NetworkTensorId NetworkGraph::add(const std::string& name, OperationPointer operation,
                                  const std::vector<NetworkTensorId>& operands) {
  return addNode(name, std::move(operation), operands).front();
}

std::vector<NetworkTensorId> NetworkGraph::tensorsOf(TensorRole role) const {
  std::vector<NetworkTensorId> found;
  for (std::size_t t = 0; t < tensors_.size(); ++t) {
    if (tensors_[t].role == role) found.push_back(static_cast<NetworkTensorId>(t));
  }
  return found;
}

std::vector<TensorType> NetworkGraph::typesOf(const std::vector<NetworkTensorId>& tensors) const {
  std::vector<TensorType> types;
  types.reserve(tensors.size());
  for (const NetworkTensorId tensor : tensors) types.push_back((*this)[tensor].type);
  return types;
}

NetworkGraph withoutUnread(const NetworkGraph& graph, NetworkTensorId result) {
  std::vector<bool> is_read(graph.tensors().size(), false);
  is_read[indexOf(result)] = true;
  std::deque<NetworkNode> kept;
  for (auto node = graph.nodes().rbegin(); node != graph.nodes().rend(); ++node) {
    const bool is_needed =
        std::any_of(node->results.begin(), node->results.end(),
                    [&](NetworkTensorId tensor) { return is_read[indexOf(tensor)]; });
    if (!is_needed) continue;
    for (const NetworkTensorId operand : node->operands) is_read[indexOf(operand)] = true;
    kept.push_front(*node);
  }
  return {graph.tensors(), std::move(kept), graph.products()};
}

}  // namespace ipusim::workloads
