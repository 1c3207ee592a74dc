// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/cuts/network_part.h"

#include <unordered_set>

#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/networks/training/backward.h"

namespace ipusim::workloads {

namespace {

class PartBuilder {
 public:
  PartBuilder(const NetworkGraph& forward, const std::vector<NetworkModule>& modules)
      : from_(forward), modules_(modules) {}

  NetworkPart build(std::size_t first, std::size_t last, bool recomputes) {
    first_ = first;
    last_ = last;
    part_.graph.setProducts(from_.products());
    if (first > 0) entering_ = modules_[first - 1].result;
    copyNodes();
    addBackwardPass();
    if (recomputes) recompute();
    return std::move(part_);
  }

 private:
  [[nodiscard]] bool isLast() const { return last_ == modules_.size(); }

  void copyNodes() {
    NetworkGraph& graph = part_.graph;
    for (std::size_t n = modules_[first_].first_node; n < modules_[last_ - 1].last_node; ++n) {
      const NetworkNode& node = from_.nodes()[n];
      std::vector<NetworkTensorId> operands;
      for (const NetworkTensorId operand : node.operands) operands.push_back(operandOf(operand));
      const std::vector<NetworkTensorId> results =
          graph.addNode(node.name, node.operation, operands);
      for (std::size_t r = 0; r < results.size(); ++r) {
        part_.copies.emplace(indexOf(node.results[r]), results[r]);
      }
    }
    part_.forward_nodes = graph.nodes().size();
  }

  /// The copy of a tensor. One that is no result of the part becomes a source.
  NetworkTensorId operandOf(NetworkTensorId tensor) {
    const auto known = part_.copies.find(indexOf(tensor));
    if (known != part_.copies.end()) return known->second;
    const NetworkTensor& original = from_[tensor];
    const bool enters = entering_ == tensor;
    check(enters || original.role != TensorRole::Result, "one tensor leads into a part");
    const NetworkTensorId copy = part_.graph.addSource(enters ? "x" : original.name, original.type,
                                                       enters ? TensorRole::Input : original.role);
    if (enters) part_.x = copy;
    part_.copies.emplace(indexOf(tensor), copy);
    return copy;
  }

  void addBackwardPass() {
    NetworkGraph& graph = part_.graph;
    BackwardEnds ends{};
    if (isLast()) {
      part_.loss = ends.from = graph.nodes().back().results.front();
    } else {
      part_.result = ends.from = part_.copies.at(indexOf(*modules_[last_ - 1].result));
      ends.gradient = part_.gradient =
          graph.addSource("gradient", graph[ends.from].type, TensorRole::Input);
    }
    if (part_.x) ends.wanted.push_back(*part_.x);
    const TensorGradients gradients = addBackward(graph, ends);
    if (part_.x) {
      part_.x_gradient = gradients.at(indexOf(*part_.x));
      if (!part_.x_gradient) {
        throw OperandError("a loss that depends on " + from_[*entering_].name, "one without it");
      }
    }
    for (const NetworkTensorId parameter : graph.tensorsOf(TensorRole::Parameter)) {
      const std::optional<NetworkTensorId>& gradient = gradients.at(indexOf(parameter));
      if (gradient) part_.gradients.emplace_back(parameter, *gradient);
    }
  }

  void recompute() {
    std::unordered_set<std::size_t> kept;
    for (std::size_t m = first_; m < last_; ++m) {
      if (m + 1 < last_) kept.insert(indexOf(part_.copies.at(indexOf(*modules_[m].result))));
      if (m + 1 < modules_.size()) continue;
      for (std::size_t n = modules_[m].first_node; n < modules_[m].last_node; ++n) {
        for (const NetworkTensorId result : from_.nodes()[n].results) {
          kept.insert(indexOf(part_.copies.at(indexOf(result))));
        }
      }
    }
    const std::function<bool(NetworkTensorId)> is_kept = [&kept](NetworkTensorId tensor) {
      return kept.count(indexOf(tensor)) > 0;
    };
    part_.graph = withRecomputation(part_.graph, is_kept);
  }

  const NetworkGraph& from_;
  const std::vector<NetworkModule>& modules_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::optional<NetworkTensorId> entering_;
  NetworkPart part_{};
};

}  // namespace

NetworkPart partOf(const NetworkGraph& forward, const std::vector<NetworkModule>& modules,
                   std::size_t first, std::size_t last, bool recomputes) {
  return PartBuilder(forward, modules).build(first, last, recomputes);
}

}  // namespace ipusim::workloads
