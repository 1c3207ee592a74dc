// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"

// Computes with plain numbers, as a reference for the layers. Matrices are row-major.

namespace ipusim::workloads {

using Values = std::vector<double>;

/// The most that storing a number of a type, half or float, moves it, relative to it (IEEE 754).
constexpr double unitRoundoff(ElementType type) {
  return type == ElementType::Half ? 1.0 / (1U << 11U) : 1.0 / (1U << 24U);
}

/// The sizes of a product (rows, inputs) x (inputs, outputs).
struct ProductSizes {
  std::uint64_t rows;
  std::uint64_t inputs;
  std::uint64_t outputs;
};

/// product += left * right. Each sum takes its terms in order.
void addProduct(const ProductSizes& sizes, const double* left, const double* right,
                double* product);

}  // namespace ipusim::workloads
