// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// b a^(b-1) dy from (a, b, dy): the gradient of a power by its base.
OperationPointer powerGradient();

}  // namespace ipusim::workloads
