// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/passes/factors.h"
#include "workloads/networks/passes/passes.h"

namespace ipusim::workloads {

namespace {

constexpr double kInverseSqrt2 = 0.7071067811865476;
constexpr double kSqrt2OverPi = 0.7978845608028654;
constexpr double kGeluCube = 0.044715;

/// Whether a tensor is x + 0.044715 x^3.
bool isBentSum(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId x) {
  const NetworkNode* const sum = rewrite.ownProducer(tensor, "add");
  if (sum == nullptr) return false;
  const auto is_sum = [&](std::size_t one) {
    return sum->operands[one] == x && isPowerOf(rewrite, sum->operands[1 - one], kGeluCube, x, 3);
  };
  return is_sum(0) || is_sum(1);
}

/// Whether a tensor is 1 + 0.044715 x^2.
bool isBentFactor(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId x) {
  const auto shifted = shiftedBy(rewrite, tensor);
  return shifted && shifted->number == 1 && isPowerOf(rewrite, shifted->tensor, kGeluCube, x, 2);
}

/// Whether a tensor is sqrt(2 / pi) (x + 0.044715 x^3), or sqrt(2 / pi) x (1 + 0.044715 x^2).
bool isTanhArgument(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId x) {
  const Factors factors = factorsOf(rewrite, tensor);
  const std::vector<NetworkTensorId>& tensors = factors.tensors;
  if (!isAbout(factors.number, kSqrt2OverPi)) return false;
  if (tensors.size() == 1) return isBentSum(rewrite, tensors.front(), x);
  if (tensors.size() != 2) return false;
  return (tensors[0] == x && isBentFactor(rewrite, tensors[1], x)) ||
         (tensors[1] == x && isBentFactor(rewrite, tensors[0], x));
}

/// The gelu of x that half of x times `other` is.
std::optional<UnaryFunction> geluOf(const GraphRewrite& rewrite, NetworkTensorId x,
                                    NetworkTensorId other) {
  const auto shifted = shiftedBy(rewrite, other);
  if (!shifted || shifted->number != 1) return std::nullopt;
  for (const UnaryFunction function : {UnaryFunction::ErrorFunction, UnaryFunction::Tanh}) {
    const NetworkNode* const node = rewrite.ownProducer(shifted->tensor, rowOf(function).word);
    if (node == nullptr) continue;
    const NetworkTensorId argument = node->operands.front();
    if (rewrite.readsOf(argument) != 1) return std::nullopt;
    const bool is_tanh = function == UnaryFunction::Tanh;
    const bool is_gelu = is_tanh ? isTanhArgument(rewrite, argument, x)
                                 : isPowerOf(rewrite, argument, kInverseSqrt2, x, 1);
    if (!is_gelu) return std::nullopt;
    return is_tanh ? UnaryFunction::GeluTanh : UnaryFunction::Gelu;
  }
  return std::nullopt;
}

bool recogniseGelu(const NetworkNode& node, GraphRewrite& rewrite) {
  const Factors factors = factorsOf(rewrite, node.results.front());
  if (factors.tensors.size() != 2 || !isAbout(factors.number, 0.5)) return false;
  for (const std::size_t one : {0U, 1U}) {
    const NetworkTensorId x = factors.tensors[one];
    const auto gelu = geluOf(rewrite, x, factors.tensors[1 - one]);
    if (gelu) return replaceByFunction(node, rewrite, *gelu, x);
  }
  return false;
}

}  // namespace

std::uint64_t recogniseGelus(PassedNetwork& network) {
  return rewriteNodes(network, recogniseGelu);
}

std::uint64_t approximateGelus(PassedNetwork& network) {
  return rewriteNodes(network, [](const NetworkNode& node, GraphRewrite& rewrite) {
    if (node.operation->kind() != rowOf(UnaryFunction::Gelu).word) return false;
    return replaceByFunction(node, rewrite, UnaryFunction::GeluTanh, node.operands.front());
  });
}

}  // namespace ipusim::workloads
