// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/passes/factors.h"
#include "workloads/networks/passes/passes.h"

namespace ipusim::workloads {

namespace {

/// The operands of a node of two operands of this kind; null for another one.
const NetworkNode* nodeOf(const GraphRewrite& rewrite, NetworkTensorId tensor, const char* kind) {
  const NetworkNode* const node = rewrite.producerOf(tensor);
  return node != nullptr && node->operation->kind() == kind ? node : nullptr;
}

/// What a tensor is the mean of over its last dimension, which stays as one element.
std::optional<NetworkTensorId> meanOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const mean = nodeOf(rewrite, tensor, "reduce_mean");
  if (mean == nullptr) return std::nullopt;
  Shape reduced = rewrite.before().shapeOf(mean->operands.front());
  if (reduced.empty()) return std::nullopt;
  reduced.back() = 1;
  if (rewrite.before().shapeOf(tensor) != reduced) return std::nullopt;
  return mean->operands.front();
}

/// What a tensor is minus its own mean.
std::optional<NetworkTensorId> centredOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const difference = nodeOf(rewrite, tensor, "subtract");
  if (difference == nullptr) return std::nullopt;
  const NetworkTensorId x = difference->operands.front();
  return meanOf(rewrite, difference->operands[1]) == x ? std::optional(x) : std::nullopt;
}

bool isSquareOf(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId of) {
  const NetworkNode* const square = nodeOf(rewrite, tensor, "multiply");
  return square != nullptr && square->operands[0] == of && square->operands[1] == of;
}

/// x and epsilon, where a tensor is (x - mean) / sqrt(variance + epsilon).
std::optional<ShiftedTensor> whitenedOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const quotient = nodeOf(rewrite, tensor, "divide");
  if (quotient == nullptr) return std::nullopt;
  const NetworkTensorId centred = quotient->operands.front();
  const auto x = centredOf(rewrite, centred);
  const NetworkNode* const root = nodeOf(rewrite, quotient->operands[1], "sqrt");
  if (!x || root == nullptr) return std::nullopt;
  const auto variance = shiftedBy(rewrite, root->operands.front());
  if (!variance) return std::nullopt;
  const auto square = meanOf(rewrite, variance->tensor);
  if (!square || !isSquareOf(rewrite, *square, centred)) return std::nullopt;
  return ShiftedTensor{*x, variance->number};
}

/// Whether a tensor is a source with one element per element of the last dimension of x.
bool isVectorOf(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId x) {
  const NetworkGraph& graph = rewrite.before();
  return rewrite.producerOf(tensor) == nullptr &&
         graph.shapeOf(tensor) == Shape{graph.shapeOf(x).back()};
}

bool recogniseLayerNorm(const NetworkNode& sum, GraphRewrite& rewrite) {
  if (sum.operation->kind() != "add") return false;
  for (const std::size_t one : {0U, 1U}) {
    const NetworkNode* const scaled = nodeOf(rewrite, sum.operands[one], "multiply");
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
                      rewrite.after().add(sum.name, normalisation(norm),
                                          {rewrite.now(whitened->tensor), scale, bias}));
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
