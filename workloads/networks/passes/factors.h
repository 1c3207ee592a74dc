// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "workloads/networks/passes/rewrite.h"

namespace ipusim::workloads {

/// A tensor as a product of numbers and of tensors. Tensors that other nodes read too are factors,
/// whatever makes them.
struct Factors {
  double number = 1;
  std::vector<NetworkTensorId> tensors;
};
Factors factorsOf(const GraphRewrite& rewrite, NetworkTensorId tensor);

/// A tensor as the sum of a number and of another tensor.
struct ShiftedTensor {
  NetworkTensorId tensor;
  double number;
};
std::optional<ShiftedTensor> shiftedBy(const GraphRewrite& rewrite, NetworkTensorId tensor);

/// Whether a number of a file, which may be rounded to a half, stands for `wanted`.
inline bool isAbout(double number, double wanted) {
  constexpr double kRelative = 2e-3;
  return std::abs(number - wanted) <= kRelative * std::abs(wanted);
}

}  // namespace ipusim::workloads
