// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/matmul/layout.h"

namespace ipusim::workloads {

/// Where a product is built.
struct MatmulSite {
  Graph& graph;
  const Architecture& machine;
  const MatmulLayout& layout;
  const std::string& name;  ///< prefix of the names of all that is added
};

}  // namespace ipusim::workloads
