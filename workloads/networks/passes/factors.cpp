// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/passes/factors.h"

#include "workloads/networks/operations/elementwise/elementwise.h"

namespace ipusim::workloads {

namespace {

void collect(const GraphRewrite& rewrite, NetworkTensorId tensor, Factors& factors) {
  if (const auto number = rewrite.numberOf(tensor)) {
    factors.number *= *number;
    return;
  }
  if (rewrite.readsOf(tensor) == 1) {
    const NetworkNode* const node = rewrite.producerOf(tensor);
    const auto factor = node == nullptr ? std::nullopt : scaleFactor(*node->operation);
    if (factor) {
      factors.number *= *factor;
      return collect(rewrite, node->operands.front(), factors);
    }
    if (node != nullptr && node->operation->kind() == "multiply") {
      for (const NetworkTensorId operand : node->operands) collect(rewrite, operand, factors);
      return;
    }
  }
  factors.tensors.push_back(tensor);
}

}  // namespace

Factors factorsOf(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  Factors factors;
  const NetworkNode* const node = rewrite.producerOf(tensor);
  const auto factor = node == nullptr ? std::nullopt : scaleFactor(*node->operation);
  if (factor) factors.number = *factor;
  if (factor || (node != nullptr && node->operation->kind() == "multiply")) {
    for (const NetworkTensorId operand : node->operands) collect(rewrite, operand, factors);
  } else {
    factors.tensors.push_back(tensor);
  }
  return factors;
}

std::optional<ShiftedTensor> shiftedBy(const GraphRewrite& rewrite, NetworkTensorId tensor) {
  const NetworkNode* const sum = rewrite.producerOf(tensor);
  if (sum == nullptr || sum->operation->kind() != "add") return std::nullopt;
  for (const std::size_t one : {1U, 0U}) {
    const auto number = rewrite.numberOf(sum->operands[one]);
    if (number) return ShiftedTensor{sum->operands[1 - one], *number};
  }
  return std::nullopt;
}

}  // namespace ipusim::workloads
