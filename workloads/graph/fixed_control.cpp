// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/fixed_control.h"

#include <fmt/format.h>

#include "ipusim/error.h"

namespace ipusim {

void refuseDataDependent(const char* step, const Tensor& tensor, const Graph& graph) {
  throw GraphError(
      fmt::format("{}: what it runs depends on data ({})", step, nameOf(tensor, graph)));
}

}  // namespace ipusim
