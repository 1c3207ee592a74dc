// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// Compiles `graph` for `machine` to what the tiles execute. Its exchanges are scheduled; where the
/// machine has ExchangeMode::Bound they have lower bounds of times and no transmissions, which the
/// closed form alone plays. A caller can give scheduled programs to a Chip of their own. A graph
/// that does not fit the memories is compiled all the same; predict() says whether it fits.
///
/// Throws GraphError, which names the tensor, vertex or tile, for a graph that no machine could
/// run, and CountError for more bytes or cycles than 64 bits can count. May be called from any
/// thread, on different graphs at the same time.
ChipPrograms compile(const Graph& graph, const Machine& machine);

}  // namespace ipusim
