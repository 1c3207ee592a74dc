// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// Whether the last two dimensions of an operand are exchanged before the product.
enum class ProductOperand : std::uint8_t { Plain, Transposed };

/// What a product is for: the vendor's planner plans the passes of training apart.
enum class ProductRole : std::uint8_t { Forward, InputGradient, WeightGradient };

/// How the operands of a product are given, and what it is for.
struct MatmulForm {
  ProductOperand left = ProductOperand::Plain;
  ProductOperand right = ProductOperand::Plain;
  ProductRole role = ProductRole::Forward;
  std::optional<ElementType> output = std::nullopt;  ///< type of the result; none: of the operands
};

/// (..., m, k) x (..., k, n) = (..., m, n). Leading dimensions are broadcast.
OperationPointer matmul(const MatmulForm& form = {});

/// The sizes of a product, for lowering: `groups` products of (m, k) and (k, n).
struct GroupedProduct {
  std::uint64_t groups;
  std::uint64_t m;
  std::uint64_t k;
  std::uint64_t n;
  ProductRole role;
};

/// The sizes of the matmul of two operands. A right operand of two dimensions is one product for
/// all groups of the left one. None for an operation that is no matmul.
std::optional<GroupedProduct> productOf(const Operation& operation, const TensorTypes& operands);

}  // namespace ipusim::workloads
