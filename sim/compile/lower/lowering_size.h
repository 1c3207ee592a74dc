// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/graph.h"

namespace ipusim::compiler {

/// A bound of the messages, moves on a tile, buffers and parts of rows that lower() makes of a
/// graph. Far quicker than lower(): where a view passes from tile to tile is not looked up run by
/// run.
std::uint64_t mostPartsOf(const Graph& graph);

}  // namespace ipusim::compiler
