// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// (rows..., classes) and the class of each row give (loss, slopes): the mean over all rows of -log
/// softmax(logits)[label], and its gradient by the logits, (softmax - one at the label) / rows.
OperationPointer crossEntropyLoss();

/// The mean of (a - b)^2 over all elements. The gradient is that of `a` alone.
OperationPointer squaredErrorLoss();

}  // namespace ipusim::workloads
