// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/interop/chakra/trace.h"

namespace ipusim::interop::chakra {

struct NodeOrder {
  std::vector<std::size_t> nodes;  ///< indices of the nodes, each after all that it depends on
  /// One list per node, in the order of the trace: indices of the nodes whose data it needs.
  std::vector<std::vector<std::size_t>> data_deps;
  /// One entry per control dependency on a node that is not there: the index of the node that
  /// waits.
  std::vector<std::size_t> unknown_ctrl_deps;
};

/// Orders the nodes. Where dependencies leave a choice, the node that comes first in the trace runs
/// first. Throws ConfigError as graphOf() says.
NodeOrder orderOf(const Trace& trace, const std::string& file);

}  // namespace ipusim::interop::chakra
