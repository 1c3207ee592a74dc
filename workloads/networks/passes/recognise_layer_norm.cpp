// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/passes/factors.h"
#include "workloads/networks/passes/passes.h"

namespace ipusim::workloads {

namespace {

/// What a tensor that one node reads is the mean of over its last dimension, which stays as one
/// element.
std::optional<NetworkTensorId> meanOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const mean = rewrite.ownProducer(tensor, "reduce_mean");
  if (mean == nullptr) return std::nullopt;
  Shape reduced = rewrite.before().shapeOf(mean->operands.front());
  if (reduced.empty() || reduced.back() == 1) return std::nullopt;
  reduced.back() = 1;
  if (rewrite.before().shapeOf(tensor) != reduced) return std::nullopt;
  return mean->operands.front();
}

/// What a tensor is minus its own mean.
std::optional<NetworkTensorId> centredOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const difference = rewrite.producerOf(tensor);
  if (difference == nullptr || difference->operation->kind() != "subtract") return std::nullopt;
  const NetworkTensorId x = difference->operands.front();
  return meanOf(rewrite, difference->operands[1]) == x ? std::optional(x) : std::nullopt;
}

/// Whether a tensor is the square of x - mean, which nothing but that and one quotient reads.
bool isOwnSquare(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId centred) {
  const NetworkNode* const square = rewrite.producerOf(tensor);
  if (square == nullptr || rewrite.readsOf(tensor) != 1) return false;
  const auto reads = std::count(square->operands.begin(), square->operands.end(), centred);
  return rewrite.readsOf(centred) == static_cast<std::uint64_t>(reads) + 1 &&
         isPowerOf(rewrite, tensor, 1, centred, 2);
}

/// x and epsilon, where a tensor that one node reads is (x - mean) / sqrt(variance + epsilon).
std::optional<ShiftedTensor> whitenedOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const quotient = rewrite.ownProducer(tensor, "divide");
  if (quotient == nullptr) return std::nullopt;
  const NetworkTensorId centred = quotient->operands.front();
  const auto x = centredOf(rewrite, centred);
  const NetworkNode* const root = rewrite.ownProducer(quotient->operands[1], "sqrt");
  if (!x || root == nullptr) return std::nullopt;
  const auto variance = shiftedBy(rewrite, root->operands.front());
  if (!variance) return std::nullopt;
  const auto square = meanOf(rewrite, variance->tensor);
  const bool is_norm = square && isOwnSquare(rewrite, *square, centred);
  return is_norm ? std::optional(ShiftedTensor{*x, variance->number}) : std::nullopt;
}

/// Whether a tensor has one element per element of the last dimension of x.
bool isVectorOf(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId x) {
  const NetworkGraph& graph = rewrite.before();
  return graph.shapeOf(tensor) == Shape{graph.shapeOf(x).back()};
}

bool recogniseLayerNorm(const NetworkNode& sum, GraphRewrite& rewrite) {
  if (sum.operation->kind() != "add") return false;
  for (const std::size_t one : {0U, 1U}) {
    const NetworkNode* const scaled = rewrite.ownProducer(sum.operands[one], "multiply");
    if (scaled == nullptr) continue;
    for (const std::size_t left : {0U, 1U}) {
      const auto whitened = whitenedOf(rewrite, scaled->operands[left]);
      const NetworkTensorId scale = scaled->operands[1 - left];
      const NetworkTensorId bias = sum.operands[1 - one];
      if (!whitened || !isVectorOf(rewrite, scale, whitened->tensor) ||
          !isVectorOf(rewrite, bias, whitened->tensor)) {
        continue;
      }
      const NormShape norm{NormKind::Layer, 1, whitened->number};
      rewrite.replace(sum.results.front(),
                      rewrite.after().add(
                          sum.name, normalisation(norm),
                          {rewrite.now(whitened->tensor), rewrite.now(scale), rewrite.now(bias)}));
      return true;
    }
  }
  return false;
}

}  // namespace

std::uint64_t recogniseLayerNorms(PassedNetwork& network) {
  return rewriteNodes(network, recogniseLayerNorm);
}

}  // namespace ipusim::workloads
