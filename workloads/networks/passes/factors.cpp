// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/passes/factors.h"

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/number_operand.h"

namespace ipusim::workloads {

namespace {

using models::BinaryOp;

/// The number that a node multiplies its first operand by.
std::optional<double> factorIn(const GraphRewrite& rewrite, const NetworkNode& node) {
  if (const auto factor = scaleFactor(*node.operation)) return factor;
  std::optional<double> divisor = numberBeside(*node.operation, BinaryOp::Divide);
  if (node.operation->kind() == "divide") divisor = rewrite.numberOf(node.operands[1]);
  return divisor ? std::optional(1 / *divisor) : std::nullopt;
}

void collect(const GraphRewrite& rewrite, NetworkTensorId tensor, Factors& factors);

/// Whether a node makes a product, whose factors are then known.
bool collectProduct(const GraphRewrite& rewrite, const NetworkNode* node, Factors& factors) {
  if (node == nullptr) return false;
  if (const auto factor = factorIn(rewrite, *node)) {
    factors.number *= *factor;
    collect(rewrite, node->operands.front(), factors);
    return true;
  }
  if (node->operation->kind() != "multiply") return false;
  for (const NetworkTensorId operand : node->operands) collect(rewrite, operand, factors);
  return true;
}

void collect(const GraphRewrite& rewrite, NetworkTensorId tensor, Factors& factors) {
  if (const auto number = rewrite.numberOf(tensor)) {
    factors.number *= *number;
    return;
  }
  const bool is_own = rewrite.readsOf(tensor) == 1;
  if (is_own && collectProduct(rewrite, rewrite.producerOf(tensor), factors)) return;
  factors.tensors.push_back(tensor);
}

/// Whether a tensor that one node reads is the power `exponent` of x, by an operation for powers.
bool isRaised(const GraphRewrite& rewrite, NetworkTensorId tensor, NetworkTensorId x,
              std::size_t exponent) {
  const NetworkNode* const node = rewrite.producerOf(tensor);
  if (node == nullptr || node->operands.front() != x || rewrite.readsOf(tensor) != 1) return false;
  std::optional<double> number = numberBeside(*node->operation, BinaryOp::Power);
  if (node->operation->kind() == "power") number = rewrite.numberOf(node->operands[1]);
  return number == static_cast<double>(exponent);
}

}  // namespace

Factors factorsOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  Factors factors;
  if (!collectProduct(rewrite, rewrite.producerOf(tensor), factors)) {
    factors.tensors.push_back(tensor);
  }
  return factors;
}

bool isPowerOf(const GraphRewrite& rewrite, NetworkTensorId tensor, double number,
               NetworkTensorId x, std::size_t exponent) {
  const Factors factors = factorsOf(rewrite, tensor);
  const std::vector<NetworkTensorId>& tensors = factors.tensors;
  if (!isAbout(factors.number, number)) return false;
  if (tensors == std::vector<NetworkTensorId>(exponent, x)) return true;
  return tensors.size() == 1 && isRaised(rewrite, tensors.front(), x, exponent);
}

std::optional<ShiftedTensor> shiftedBy(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const node = rewrite.producerOf(tensor);
  if (node == nullptr || rewrite.readsOf(tensor) != 1) return std::nullopt;
  if (const auto number = numberBeside(*node->operation, BinaryOp::Add)) {
    return ShiftedTensor{node->operands.front(), *number};
  }
  if (node->operation->kind() != "add") return std::nullopt;
  for (const std::size_t one : {1U, 0U}) {
    const auto number = rewrite.numberOf(node->operands[one]);
    if (number) return ShiftedTensor{node->operands[1 - one], *number};
  }
  return std::nullopt;
}

bool replaceByFunction(const NetworkNode& node, GraphRewrite& rewrite, UnaryFunction function,
                       NetworkTensorId x) {
  const NetworkTensorId result = node.results.front();
  const TensorType& made = rewrite.before()[result].type;
  const TensorType& given = rewrite.before()[x].type;
  if (made.shape != given.shape || made.type != given.type) return false;
  rewrite.replace(result, rewrite.after().add(node.name, unary(function), {rewrite.now(x)}));
  return true;
}

}  // namespace ipusim::workloads
