// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/training/backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/shaping.h"

namespace ipusim::workloads {

namespace {

/// Walks the nodes of the forward pass backwards.
class BackwardBuilder {
 public:
  BackwardBuilder(NetworkGraph& graph, const BackwardEnds& ends)
      : graph_(graph), gradients_(graph.tensors().size()), is_learnt_(findLearnt(ends.wanted)) {
    if (ends.gradient) {
      gradients_[indexOf(ends.from)] = ends.gradient;
    } else {
      loss_ = ends.from;
    }
  }

  TensorGradients build() {
    const std::size_t count = graph_.nodes().size();
    graph_.setPass(NetworkPass::Backward);
    for (std::size_t n = count; n-- > 0;) addGradientOf(n);
    return std::move(gradients_);
  }

 private:
  /// For each tensor, whether it is a parameter, a wanted source or depends on one.
  [[nodiscard]] std::vector<bool> findLearnt(const std::vector<NetworkTensorId>& wanted) const {
    std::vector<bool> is_learnt(graph_.tensors().size(), false);
    for (const NetworkTensorId source : wanted) is_learnt[indexOf(source)] = true;
    for (const NetworkTensorId parameter : graph_.tensorsOf(TensorRole::Parameter)) {
      is_learnt[indexOf(parameter)] = true;
    }
    for (const NetworkNode& node : graph_.nodes()) {
      const bool is_any =
          std::any_of(node.operands.begin(), node.operands.end(),
                      [&](NetworkTensorId operand) { return is_learnt[indexOf(operand)]; });
      for (const NetworkTensorId result : node.results) is_learnt[indexOf(result)] = is_any;
    }
    return is_learnt;
  }

  void addGradientOf(std::size_t index) {
    const NetworkNode& node = graph_.nodes()[index];
    GradientSite site{graph_, node.name + "/gradient", node.operands, node.results, {}, {}};
    for (const NetworkTensorId result : node.results) {
      site.result_gradients.push_back(gradients_[indexOf(result)]);
    }
    expectFirstResult(node, site);
    std::optional<NetworkTensorId>& reached = site.result_gradients.front();
    const bool is_loss = loss_ && node.results.front() == *loss_;
    if (is_loss && !node.operation->isLoss()) {
      reached = graph_.add(site.name + "/one", constant(graph_.shapeOf(*loss_), 1), {});
    }
    const bool is_reached = is_loss || reached;
    bool is_wanted = false;
    for (const NetworkTensorId operand : node.operands) {
      site.wanted.push_back(is_learnt_[indexOf(operand)]);
      is_wanted = is_wanted || site.wanted.back();
    }
    if (!is_reached || !is_wanted) return;
    const OperandGradients found = node.operation->addGradient(site);
    for (std::size_t o = 0; o < found.size(); ++o) {
      if (found[o] && site.wanted[o]) addTo(node.operands[o], *found[o]);
    }
  }

  /// Statistics, masks and probabilities are read by gradients alone.
  static void expectFirstResult(const NetworkNode& node, const GradientSite& site) {
    for (std::size_t r = 1; r < site.result_gradients.size(); ++r) {
      if (!site.result_gradients[r]) continue;
      throw OperandError(node.name + ": a loss that depends on its first result alone",
                         fmt::format("one that depends on result {}", r));
    }
  }

  /// A tensor that several nodes read gets the sum of their gradients.
  void addTo(NetworkTensorId tensor, NetworkTensorId gradient) {
    std::optional<NetworkTensorId>& sum = gradients_[indexOf(tensor)];
    if (sum) {
      gradient = graph_.add(graph_[tensor].name + "/gradient/sum", binary(models::BinaryOp::Add),
                            {*sum, gradient});
    }
    sum = gradient;
  }

  NetworkGraph& graph_;
  std::optional<NetworkTensorId> loss_;
  TensorGradients gradients_;
  std::vector<bool> is_learnt_;
};

/// Copies a graph, and adds nodes that compute again what was not kept.
class Recomputer {
 public:
  Recomputer(const NetworkGraph& graph, const std::function<bool(NetworkTensorId)>& is_kept)
      : from_(graph), is_kept_(is_kept), tensors_(graph.tensors()) {
    for (const NetworkNode& node : graph.nodes()) {
      if (node.pass != NetworkPass::Forward) continue;
      for (const NetworkTensorId result : node.results) producers_.emplace(indexOf(result), &node);
    }
  }

  NetworkGraph copy() {
    for (NetworkNode node : from_.nodes()) {
      if (node.pass != NetworkPass::Forward) {
        for (NetworkTensorId& operand : node.operands) operand = again(operand);
      }
      nodes_.push_back(std::move(node));
    }
    return {std::move(tensors_), std::move(nodes_), from_.products()};
  }

 private:
  /// `tensor` itself where it is kept, or else what holds its elements once more. The nodes that
  /// are to be computed wait on a stack: a network may have more of them in a row than calls can
  /// nest.
  NetworkTensorId again(NetworkTensorId tensor) {
    std::vector<NetworkTensorId> waiting{tensor};
    while (!waiting.empty()) {
      const NetworkTensorId next = waiting.back();
      const std::size_t before = waiting.size();
      if (const NetworkNode* node = missing(next)) {
        for (const NetworkTensorId operand : node->operands) {
          if (missing(operand) != nullptr) waiting.push_back(operand);
        }
        if (waiting.size() != before) continue;
        recompute(*node);
      }
      waiting.pop_back();
    }
    return replacement(tensor);
  }

  /// The node that must run again before `tensor` can be read; null when none must.
  [[nodiscard]] const NetworkNode* missing(NetworkTensorId tensor) const {
    const auto producer = producers_.find(indexOf(tensor));
    if (producer == producers_.end() || is_kept_(tensor)) return nullptr;
    return again_.count(indexOf(tensor)) > 0 ? nullptr : producer->second;
  }

  [[nodiscard]] NetworkTensorId replacement(NetworkTensorId tensor) const {
    const auto found = again_.find(indexOf(tensor));
    return found == again_.end() ? tensor : found->second;
  }

  void recompute(const NetworkNode& node) {
    NetworkNode copy = node;
    copy.name += "/again";
    copy.pass = NetworkPass::Recomputation;
    for (NetworkTensorId& operand : copy.operands) operand = replacement(operand);
    for (NetworkTensorId& result : copy.results) {
      const NetworkTensor& original = from_[result];
      tensors_.push_back({original.name + "/again", original.type, original.role});
      const auto id = static_cast<NetworkTensorId>(tensors_.size() - 1);
      if (!is_kept_(result)) again_.emplace(indexOf(result), id);
      result = id;
    }
    nodes_.push_back(std::move(copy));
  }

  const NetworkGraph& from_;
  const std::function<bool(NetworkTensorId)>& is_kept_;
  std::deque<NetworkTensor> tensors_;
  std::deque<NetworkNode> nodes_;
  std::unordered_map<std::size_t, const NetworkNode*> producers_;  ///< by result
  std::unordered_map<std::size_t, NetworkTensorId> again_;         ///< by what was not kept
};

}  // namespace

TensorGradients addBackward(NetworkGraph& graph, NetworkTensorId loss) {
  return addBackward(graph, BackwardEnds{loss, std::nullopt, {}});
}

TensorGradients addBackward(NetworkGraph& graph, const BackwardEnds& ends) {
  const bool is_loss = !ends.gradient;
  check(!is_loss || elementsOf(graph.shapeOf(ends.from)) == 1, "a loss has one element");
  return BackwardBuilder(graph, ends).build();
}

NetworkGraph withRecomputation(const NetworkGraph& graph,
                               const std::function<bool(NetworkTensorId)>& is_kept) {
  return Recomputer(graph, is_kept).copy();
}

}  // namespace ipusim::workloads
