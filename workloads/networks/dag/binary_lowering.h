// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/dag/elementwise.h"
#include "workloads/networks/dag/node_lowering.h"

// Lowerings of operations on two operands.

namespace ipusim::workloads {

NodeLoweringPointer lowerBinary(BinaryFunction function, NodeSite site);
NodeLoweringPointer lowerComparison(Comparison comparison, NodeSite site);
NodeLoweringPointer lowerPowerGradient(NodeSite site);

}  // namespace ipusim::workloads
