// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/network_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error_boundary.h"
#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/networks/lowering/node_lowering.h"

namespace ipusim::workloads {

const TensorType& GradientSite::operandType(std::size_t operand) const {
  return graph[operands.at(operand)].type;
}

OperandGradients Operation::addGradient(const GradientSite& site) const {
  throw InternalError(site.name + ": " + kind() + " has no gradient");
}

std::unique_ptr<NodeLowering> Operation::lowering(NodeSite site) const {
  throw NotLowered(std::move(site.name) + ": wanted what has steps for tiles, found " + kind());
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
  std::vector<TensorType> types =
      translateErrors<OperandError>([&] { return operation->infer(typesOf(operands)); },
                                    [&](const OperandError& error) {
                                      return OperandError(name + ": " + operation->kind(), error);
                                    });
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

namespace {

/// By node: whether one of `results` depends on it.
std::vector<bool> neededNodes(const NetworkGraph& graph,
                              const std::vector<NetworkTensorId>& results) {
  std::vector<bool> is_read(graph.tensors().size(), false);
  for (const NetworkTensorId result : results) is_read[indexOf(result)] = true;
  std::vector<bool> is_needed(graph.nodes().size(), false);
  for (std::size_t n = graph.nodes().size(); n-- > 0;) {
    const NetworkNode& node = graph.nodes()[n];
    is_needed[n] = std::any_of(node.results.begin(), node.results.end(),
                               [&](NetworkTensorId tensor) { return is_read[indexOf(tensor)]; });
    if (!is_needed[n]) continue;
    for (const NetworkTensorId operand : node.operands) is_read[indexOf(operand)] = true;
  }
  return is_needed;
}

/// Copies tensors that are needed to another graph.
class TensorCopies {
 public:
  explicit TensorCopies(const NetworkGraph& graph)
      : graph_(graph), is_needed_(graph.tensors().size(), false) {}

  void need(const std::vector<NetworkTensorId>& tensors) {
    for (const NetworkTensorId tensor : tensors) is_needed_[indexOf(tensor)] = true;
  }

  /// The needed tensors, and all inputs, in their order.
  std::deque<NetworkTensor> take() {
    std::deque<NetworkTensor> kept;
    for (std::size_t t = 0; t < is_needed_.size(); ++t) {
      const NetworkTensor& tensor = graph_.tensors()[t];
      copies_.push_back(static_cast<NetworkTensorId>(kept.size()));
      if (is_needed_[t] || tensor.role == TensorRole::Input) kept.push_back(tensor);
    }
    return kept;
  }

  /// Behind take(): the ids of copies in place of those of the graph.
  [[nodiscard]] std::vector<NetworkTensorId> of(std::vector<NetworkTensorId> tensors) const {
    for (NetworkTensorId& tensor : tensors) tensor = copies_[indexOf(tensor)];
    return tensors;
  }

 private:
  const NetworkGraph& graph_;
  std::vector<bool> is_needed_;
  std::vector<NetworkTensorId> copies_;
};

}  // namespace

PrunedNetwork withoutDeadNodes(const NetworkGraph& graph,
                               const std::vector<NetworkTensorId>& results) {
  const std::vector<bool> is_needed = neededNodes(graph, results);
  TensorCopies copies(graph);
  copies.need(results);
  std::vector<std::string> dead;
  for (std::size_t n = 0; n < is_needed.size(); ++n) {
    const NetworkNode& node = graph.nodes()[n];
    if (!is_needed[n]) {
      dead.push_back(node.name);
      continue;
    }
    copies.need(node.operands);
    copies.need(node.results);
  }
  std::deque<NetworkTensor> tensors = copies.take();
  std::deque<NetworkNode> nodes;
  for (std::size_t n = 0; n < is_needed.size(); ++n) {
    if (!is_needed[n]) continue;
    NetworkNode node = graph.nodes()[n];
    node.operands = copies.of(node.operands);
    node.results = copies.of(node.results);
    nodes.push_back(std::move(node));
  }
  return {{std::move(tensors), std::move(nodes), graph.products()},
          copies.of(results),
          std::move(dead)};
}

}  // namespace ipusim::workloads
