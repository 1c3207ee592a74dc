// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/dag/node_lowering.h"
#include "workloads/networks/dag/optimiser.h"

namespace ipusim::workloads {

NodeLoweringPointer lowerUpdate(const Optimiser& optimiser, NodeSite site);

}  // namespace ipusim::workloads
