// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// An operation that nothing is known of but the types of its results. It takes no time. Its
/// results are zeros, and so are its gradients.
OperationPointer skippedOperation(const std::string& kind, const TensorTypes& results);

/// Whether an operation is one of skippedOperation().
bool isSkipped(const Operation& operation);

}  // namespace ipusim::workloads
