// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// exp(x) / sum exp(x) along a dimension.
OperationPointer softmax(std::size_t axis);
/// The logarithm of the softmax along a dimension.
OperationPointer logSoftmax(std::size_t axis);

/// The logarithm of the softmax of numbers.
TensorValues logSoftmaxOf(const TensorValues& x, const AxisView& view);

}  // namespace ipusim::workloads
