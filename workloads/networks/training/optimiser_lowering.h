// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/training/optimiser.h"

namespace ipusim::workloads {

NodeLoweringPointer lowerUpdate(const Optimiser& optimiser, NodeSite site);

}  // namespace ipusim::workloads
