// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/machine.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/ops/conv/planner/plan.h"
#include "workloads/sources/least_size.h"

namespace ipusim::workloads {

/// What building a planned product or convolution surely takes.
LeastSize leastOfPlan(const Architecture& machine, const ConvPlan& plan);

/// What building each large product and convolution of a network surely takes. Small ones are left
/// out: their plans, which say so, take longer than they.
std::vector<LeastSize> leastProducts(const Architecture& machine, const NetworkGraph& network);

/// What all parts of a program take together.
LeastSize allSizes(const std::vector<LeastSize>& sizes);
/// What the largest of several programs takes.
LeastSize largestSize(const std::vector<LeastSize>& sizes);

}  // namespace ipusim::workloads
