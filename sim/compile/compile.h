// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"
#include "ipusim/timing_mode.h"
#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Places the data, plans the exchanges, and writes every tile's program. A graph that does not
/// fit is compiled all the same; the `bytes_over` of its tiles say so.
Executable compile(const Graph& graph, const Machine& machine,
                   TimingMode timing = TimingMode::Program);

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
void recompile(Executable& executable, const Machine& machine, TimingMode timing, Stage from);

}  // namespace ipusim::compiler
