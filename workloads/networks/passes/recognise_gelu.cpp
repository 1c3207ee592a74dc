// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/passes/factors.h"
#include "workloads/networks/passes/passes.h"

namespace ipusim::workloads {

namespace {

constexpr double kInverseSqrt2 = 0.7071067811865476;
constexpr double kSqrt2OverPi = 0.7978845608028654;
constexpr double kGeluCube = 0.044715;

/// Whether a tensor is `number` times x.
bool isMultiple(const GraphRewrite& rewrite, NetworkTensorId tensor, double number,
                NetworkTensorId x) {
  const Factors factors = factorsOf(rewrite, tensor);
  return factors.tensors == std::vector<NetworkTensorId>{x} && isAbout(factors.number, number);
}

/// Whether a tensor is the third power of x, times `number`.
bool isCube(const GraphRewrite& rewrite, NetworkTensorId tensor, double number, NetworkTensorId x) {
  const Factors factors = factorsOf(rewrite, tensor);
  if (!isAbout(factors.number, number)) return false;
  if (factors.tensors == std::vector<NetworkTensorId>{x, x, x}) return true;
  if (factors.tensors.size() != 1) return false;
  const NetworkNode* const power = rewrite.producerOf(factors.tensors.front());
  return power != nullptr && power->operation->kind() == "power" && power->operands[0] == x &&
         rewrite.numberOf(power->operands[1]) == 3;
}

/// Whether a tensor is sqrt(2 / pi) (x + 0.044715 x^3).
bool isTanhArgument(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId x) {
  const Factors factors = factorsOf(rewrite, tensor);
  if (factors.tensors.size() != 1 || !isAbout(factors.number, kSqrt2OverPi)) return false;
  const NetworkNode* const sum = rewrite.producerOf(factors.tensors.front());
  if (sum == nullptr || sum->operation->kind() != "add") return false;
  const auto is_sum = [&](std::size_t one) {
    return sum->operands[one] == x && isCube(rewrite, sum->operands[1 - one], kGeluCube, x);
  };
  return is_sum(0) || is_sum(1);
}

/// The gelu of x that half of x times `other` is.
std::optional<UnaryFunction> geluOf(const GraphRewrite& rewrite, NetworkTensorId x,
                                    NetworkTensorId other) {
  const auto shifted = shiftedBy(rewrite, other);
  if (!shifted || shifted->number != 1) return std::nullopt;
  const NetworkNode* const function = rewrite.producerOf(shifted->tensor);
  if (function == nullptr) return std::nullopt;
  const std::string kind = function->operation->kind();
  const NetworkTensorId argument = function->operands.front();
  if (kind == rowOf(UnaryFunction::ErrorFunction).word) {
    if (isMultiple(rewrite, argument, kInverseSqrt2, x)) return UnaryFunction::Gelu;
  } else if (kind == rowOf(UnaryFunction::Tanh).word) {
    if (isTanhArgument(rewrite, argument, x)) return UnaryFunction::GeluTanh;
  }
  return std::nullopt;
}

bool recogniseGelu(const NetworkNode& node, GraphRewrite& rewrite) {
  const Factors factors = factorsOf(rewrite, node.results.front());
  if (factors.tensors.size() != 2 || !isAbout(factors.number, 0.5)) return false;
  for (const std::size_t one : {0U, 1U}) {
    const NetworkTensorId x = factors.tensors[one];
    if (const auto gelu = geluOf(rewrite, x, factors.tensors[1 - one])) {
      rewrite.replace(node.results.front(),
                      rewrite.after().add(node.name, unary(*gelu), {rewrite.now(x)}));
      return true;
    }
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
    rewrite.replace(node.results.front(),
                    rewrite.after().add(node.name, unary(UnaryFunction::GeluTanh),
                                        {rewrite.now(node.operands.front())}));
    return true;
  });
}

}  // namespace ipusim::workloads
