// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/compile/executable.h"
#include "workloads/graph/graph.h"

namespace ipusim::compiler {

/// What a run's time stands for.
enum class Timing : std::uint8_t {
  Program,          ///< the program as the machine runs it
  TileCounters,     ///< read off cycle counters around each vertex: no launch
  TileCountersRaw,  ///< the same with what reading them costs
};

/// Places the data, plans the exchanges, and writes every tile's program. A graph that does not
/// fit is compiled all the same; `out_of_memory` says so.
Executable compile(const workloads::Graph& graph, const models::Machine& machine,
                   Timing timing = Timing::Program);

/// Gives the program the times of `machine`, which differs from its own in nothing that it was
/// compiled from: the clock, the base time of a sync, those of launches.
void retime(Executable& executable, const models::Machine& machine, Timing timing);

}  // namespace ipusim::compiler
