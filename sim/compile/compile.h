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

/// The same for a graph whose vertices and copies nobody reads afterwards: they are freed as soon
/// as they are lowered.
Executable compileAndRelease(Graph& graph, const Machine& machine, TimingMode timing);

/// The parts of a compilation, one after the other, and what each is the first to take.
enum class Stage : std::uint8_t {
  Lowering,  ///< Architecture: plans of the operations, places of the data, steps
  Exchange,  ///< ExchangeMode: schedules of the exchanges
  Memory,    ///< CodeSizes: where every tile has what
  Vertices,  ///< CompiledCode: cycles of the vertices that a compiler made
  Timing,    ///< Platform: what transfers and counters take
};

/// The first stage that takes another value from one machine than from the other; Timing if there
/// is none.
Stage firstToDiffer(const Machine& a, const Machine& b);

/// Compiles again for `machine`, from the first stage on that takes another value from it: gives
/// what compile() would. That stage is not Lowering.
void recompile(Executable& executable, const Machine& machine, TimingMode timing);

}  // namespace ipusim::compiler
