// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "models/ipu/cost/elementwise/binary_op.h"
#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// x op number, where the network has the number: each vertex holds a copy, and no tensor of
/// numbers moves. Comparisons give bools and have no gradient. A product is scale(). Operators are
/// those with a published cost beside one number: Add, Divide, Maximum, Minimum, Power and all
/// comparisons.
OperationPointer withNumber(models::BinaryOp op, double number);
/// The number of such an operation with this operator; none for another one.
std::optional<double> numberBeside(const Operation& operation, models::BinaryOp op);

/// Whether withNumber() has an operator.
bool takesNumber(models::BinaryOp op);

/// not x, of bools.
OperationPointer logicalNot();

}  // namespace ipusim::workloads
