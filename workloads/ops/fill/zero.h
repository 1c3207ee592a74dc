// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Adds a step to `program` that sets the elements of `tensors` to zero where they lie.
void addZero(Graph& graph, const Architecture& machine, const std::vector<Tensor>& tensors,
             const std::string& name, Program& program);

}  // namespace ipusim::workloads
