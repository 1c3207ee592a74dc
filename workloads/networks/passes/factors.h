// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/passes/rewrite.h"

// Arithmetic of single elements, in whatever spelling: numbers are operands, or stand in an
// operation.

namespace ipusim::workloads {

/// A tensor as a product of numbers and of tensors. Tensors that other nodes read too are factors,
/// whatever makes them.
struct Factors {
  double number = 1;
  std::vector<NetworkTensorId> tensors;
};
Factors factorsOf(const GraphRewrite& rewrite, NetworkTensorId tensor);

/// Whether a tensor is `number` times the power `exponent` of x.
bool isPowerOf(const GraphRewrite& rewrite, NetworkTensorId tensor, double number,
               NetworkTensorId x, std::size_t exponent);

/// A tensor as the sum of a number and of another tensor.
struct ShiftedTensor {
  NetworkTensorId tensor;
  double number;
};
/// None for a tensor that several nodes read.
std::optional<ShiftedTensor> shiftedBy(const GraphRewrite& rewrite, NetworkTensorId tensor);

/// Puts a function of x in the place of a node. Returns false, and changes nothing, where the node
/// has another shape or type than x.
bool replaceByFunction(const NetworkNode& node, GraphRewrite& rewrite, UnaryFunction function,
                       NetworkTensorId x);

/// Whether a number of a file, which may be rounded to a half, stands for `wanted`.
inline bool isAbout(double number, double wanted) {
  constexpr double kRelative = 2e-3;
  return std::abs(number - wanted) <= kRelative * std::abs(wanted);
}

}  // namespace ipusim::workloads
