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

/// The parts of a compilation, one after the other.
enum class Stage : std::uint8_t {
  Lowering,  ///< plans of the operations, places of the data, steps
  Exchange,  ///< schedules of the exchanges
  Memory,    ///< code sizes, and where every tile has what
  Timing,    ///< what syncs and launches take
};
constexpr std::size_t kStages = 4;

/// Compiles again for `machine` from a stage after Lowering on: gives what compile() would. No
/// earlier stage reads a value of the machine that differs from what it was compiled for.
void recompile(Executable& executable, const models::Machine& machine, Timing timing, Stage from);

}  // namespace ipusim::compiler
