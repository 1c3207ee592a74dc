// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// Adds a step to `program` that converts `from` into `to`. Both have one dimension and consecutive
/// elements. `to` is mapped like `from`.
void addCast(Graph& graph, const Tensor& from, const Tensor& to, const std::string& name,
             Program& program);

}  // namespace ipusim::workloads
