// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/passes/passes.h"

// Source: pytorch/pytorch torch/csrc/jit/passes/onnx/eval_peephole.cpp (BSD-3-Clause), which folds
// batch norms into convolutions of models in the mode eval.

namespace ipusim::workloads {

namespace {

constexpr std::size_t kBias = 2;

bool isSource(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  return rewrite.producerOf(tensor) == nullptr &&
         rewrite.before()[tensor].role != TensorRole::Input;
}

/// The convolution that makes a tensor, and whether it adds a bias of its own.
struct BiasedConvolution {
  const NetworkNode* node = nullptr;
  bool has_bias = false;
};

/// Whether a tensor is a parameter of one element per channel, as it is or with its dimensions.
bool isBias(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const view = rewrite.ownProducer(tensor, "reshape");
  return rewrite.isOwnParameter(view != nullptr ? view->operands.front() : tensor);
}

BiasedConvolution convolutionBefore(const GraphRewrite& rewrite, NetworkTensorId x) {
  const NetworkNode* const sum = rewrite.ownProducer(x, "add");
  const bool has_bias = sum != nullptr && isBias(rewrite, sum->operands[1]);
  const NetworkNode* const node = rewrite.ownProducer(has_bias ? sum->operands.front() : x, "conv");
  const bool is_foldable = node != nullptr && rewrite.isOwnParameter(node->operands[1]);
  return {is_foldable ? node : nullptr, has_bias};
}

bool foldNorm(const NetworkNode& norm, GraphRewrite& rewrite) {
  if (norm.operation->kind() != "batch_norm_inference") return false;
  const bool is_known =
      std::all_of(norm.operands.begin() + 1, norm.operands.end(),
                  [&](NetworkTensorId operand) { return isSource(rewrite, operand); });
  const NetworkTensorId x = norm.operands.front();
  const BiasedConvolution before = convolutionBefore(rewrite, x);
  if (!is_known || before.node == nullptr) return false;
  NetworkTensorId y = rewrite.now(x);
  if (!before.has_bias) {
    NetworkGraph& graph = rewrite.after();
    const NetworkTensorId bias = norm.operands[kBias];
    Shape channels(graph.shapeOf(x).size() - 1, 1);
    channels.front() = elementsOf(graph.shapeOf(bias));
    const std::string& name = before.node->name;
    const NetworkTensorId view = graph.add(name + "/folded_bias", reshape(channels), {bias});
    y = graph.add(name + "/add_bias", binary(models::BinaryOp::Add), {y, view});
  }
  rewrite.replace(norm.results.front(), y);
  return true;
}

}  // namespace

std::uint64_t foldBatchNorms(PassedNetwork& network) {
  return rewriteNodes(network, foldNorm);
}

}  // namespace ipusim::workloads
