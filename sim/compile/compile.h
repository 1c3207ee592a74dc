// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/system/timing_mode.h"
#include "sim/compile/executable.h"
#include "workloads/graph/graph.h"

namespace ipusim::compiler {

/// Places the data, plans the exchanges, and writes every tile's program. A graph that does not
/// fit is compiled all the same; the `bytes_over` of its tiles say so.
Executable compile(const workloads::Graph& graph, const models::Machine& machine,
                   models::TimingMode timing = models::TimingMode::Program);

/// The parts of a compilation, one after the other, and what each is the first to take.
enum class Stage : std::uint8_t {
  Lowering,  ///< models::Architecture: plans of the operations, places of the data, steps
  Exchange,  ///< models::ExchangeMode: schedules of the exchanges
  Memory,    ///< models::CodeSizes: where every tile has what
  Timing,    ///< models::Platform: what transfers and counters take
};

/// The first stage that takes another value from one machine than from the other; Timing if there
/// is none.
Stage firstToDiffer(const models::Machine& a, const models::Machine& b);

/// Compiles again for `machine`, from the first stage on that takes another value from it: gives
/// what compile() would. That stage is not Lowering.
void recompile(Executable& executable, const models::Machine& machine, models::TimingMode timing);

}  // namespace ipusim::compiler
