// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/passes/passes.h"
#include "workloads/networks/passes/projections.h"

namespace ipusim::workloads {

namespace {

/// What the steps between scores and the product with the values may be.
bool isOfScores(const Operation& operation) {
  const std::string kind = operation.kind();
  return kind == "softmax" || kind == "scale" || kind == "add" || kind == "select" ||
         kind == "dropout" || kind == "cast";
}

/// The product of queries and keys behind the left operand of another product.
const NetworkNode* scoresBehind(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  bool has_softmax = false;
  for (const NetworkNode* node = rewrite.producerOf(tensor); node != nullptr;
       node = rewrite.producerOf(node->operands.front())) {
    if (node->operation->kind() == "matmul") return has_softmax ? node : nullptr;
    if (!isOfScores(*node->operation)) return nullptr;
    has_softmax = has_softmax || node->operation->kind() == "softmax";
  }
  return nullptr;
}

/// The projections of an attention, in the order of their products.
using Attention = std::vector<Projection>;

bool areAlike(const GraphRewrite& rewrite, const Projection& a, const Projection& b) {
  return a.x() == b.x() &&
         rewrite.before().shapeOf(a.weights()) == rewrite.before().shapeOf(b.weights()) &&
         (a.sum == nullptr) == (b.sum == nullptr);
}

/// The projections of the attention whose values a product takes. Empty where they are not all of
/// one tensor and of one size.
Attention attentionOf(const GraphRewrite& rewrite, const NetworkNode& product) {
  if (product.operation->kind() != "matmul") return {};
  const NetworkNode* const scores = scoresBehind(rewrite, product.operands[0]);
  if (scores == nullptr) return {};
  Attention found;
  for (const NetworkTensorId operand :
       {scores->operands[0], scores->operands[1], product.operands[1]}) {
    auto projection = projectionBehind(rewrite, operand);
    if (!projection || (!found.empty() && !areAlike(rewrite, found.front(), *projection)))
      return {};
    found.push_back(*projection);
  }
  return found;
}

class QkvFusion {
 public:
  explicit QkvFusion(const PassedNetwork& network) : rewrite_(network) {
    for (const NetworkNode& node : network.graph.nodes()) {
      const Attention attention = attentionOf(rewrite_, node);
      if (attention.empty()) continue;
      for (const Projection& one : attention) member_.emplace(one.product, attention);
    }
  }

  std::uint64_t run() {
    rewrite_.run([&](const NetworkNode& node) { return fuse(node); });
    return fused_;
  }
  PassedNetwork take() { return rewrite_.take(); }

 private:
  /// The first product of an attention stands for all. The others are not read any more.
  bool fuse(const NetworkNode& node) {
    const auto found = member_.find(&node);
    if (found == member_.end() ||
        rewrite_.now(found->second.front().result()) != found->second.front().result()) {
      return false;
    }
    const Attention& attention = found->second;
    // Sums with a bias of the old products come later and are kept; nothing reads them.
    const NetworkTensorId fused = addFused(node.name, attention);
    NetworkGraph& graph = rewrite_.after();
    const std::uint64_t width = graph.shapeOf(attention.front().weights()).back();
    const std::size_t last = graph.shapeOf(fused).size() - 1;
    for (std::size_t p = 0; p < attention.size(); ++p) {
      const NetworkTensorId part = graph.add(attention[p].product->name + "/fused_part",
                                             slice({last, p * width, (p + 1) * width}), {fused});
      rewrite_.replace(attention[p].result(), part);
    }
    ++fused_;
    return false;
  }

  NetworkTensorId addFused(const std::string& name, const Attention& attention) {
    NetworkGraph& graph = rewrite_.after();
    const NetworkTensorId x = rewrite_.now(attention.front().x());
    TensorType weights = graph[attention.front().weights()].type;
    weights.shape.back() *= attention.size();
    const Shape vector{weights.shape.back()};
    const NetworkTensorId side_by_side =
        graph.addSource(name + "/fused/weights", weights, TensorRole::Parameter);
    const NetworkTensorId product = graph.add(name + "/fused", matmul(), {x, side_by_side});
    if (attention.front().sum == nullptr) return product;
    const NetworkTensorId bias =
        graph.addSource(name + "/fused/bias", {vector, weights.type}, TensorRole::Parameter);
    return graph.add(name + "/fused/add_bias", binary(models::BinaryOp::Add), {product, bias});
  }

  GraphRewrite rewrite_;
  std::unordered_map<const NetworkNode*, Attention> member_;
  std::uint64_t fused_ = 0;
};

}  // namespace

std::uint64_t fuseQkv(PassedNetwork& network) {
  QkvFusion fusion(network);
  const std::uint64_t times = fusion.run();
  network = fusion.take();
  return times;
}

}  // namespace ipusim::workloads
