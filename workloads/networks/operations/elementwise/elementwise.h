// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/ipu/cost/elementwise/binary_op.h"
#include "workloads/networks/graph/operation.h"
#include "workloads/networks/operations/elementwise/unary.h"

// Operations on single elements; those on one operand are in unary.h.

namespace ipusim::workloads {

/// a op b, where shapes are broadcast. The exponent of a Power is a constant for its gradient;
/// comparisons give bools and have no gradient.
OperationPointer binary(models::BinaryOp op);

struct ClipBounds {
  double low;
  double high;
};
/// min(max(x, low), high). The gradient passes where low <= x <= high.
OperationPointer clip(const ClipBounds& bounds);

/// (condition, a, b): a where the condition is not zero, and b elsewhere. Shapes are broadcast.
OperationPointer select();

/// x as another type. Whole numbers pass no gradient.
OperationPointer cast(ElementType type);

/// x times a number.
OperationPointer scale(double factor);
/// The number of such an operation; none for another one.
std::optional<double> scaleFactor(const Operation& operation);

/// (y, mask): y = x mask, where the mask is 0 with probability `rate` and 1 / (1 - rate) otherwise.
/// The reference draws the mask from a hash of `seed` and the element.
OperationPointer dropout(double rate, std::uint64_t seed);

}  // namespace ipusim::workloads
