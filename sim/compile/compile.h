// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/machine/execution_record.h"
#include "models/ipu/machine/timing_mode.h"
#include "sim/compile/executable.h"
#include "sim/compile/lower/flow.h"

namespace ipusim::compiler {

/// Places the data, plans the exchanges, and writes every tile's program, for the tiles of all IPUs
/// of `system`. A graph that does not fit is compiled too: the `bytes_over` of its tiles say that
/// it does not fit. A program that depends on data is compiled to the run that `record` tells of.
/// Throws ConfigError where no links lead from one IPU to another that it sends to.
Executable compile(const Graph& graph, const System& system,
                   TimingMode timing = TimingMode::Program, const ExecutionRecord& record = {});

/// A compiled graph, and what became of its steps.
struct CompiledGraph {
  Executable executable;
  std::vector<std::uint32_t> step_ends;  ///< as in LoweredGraph
};

/// Like compile(), for a graph whose vertices and copies nobody reads afterwards: those of each
/// step are freed as soon as they are lowered.
CompiledGraph compileAndRelease(Graph& graph, const System& system,
                                TimingMode timing = TimingMode::Program,
                                const ExecutionRecord& record = {});

/// Says in which orders the steps run that the graph's steps became: `step_ends` is that of
/// CompiledGraph.
using OrdersOf = std::function<StepOrders(const std::vector<std::uint32_t>& step_ends)>;

/// A graph whose steps may run in any order: `programs` has each step once, in order. What decides
/// an If, a Switch or a RepeatWhile, and how often a body runs, is up to whoever runs the steps. A
/// vertex type without a cost function gets its cycles from them too. Where `orders_of` says in
/// which orders the steps run, variables of Lifetime::Temporary share memory as these orders allow.
/// Without it the steps run in the order of their numbers.
CompiledGraph compileSteps(Graph& graph, const System& system, const OrdersOf& orders_of = {});

/// The stages of a compilation, in order. Each comment names the part of the machine that no
/// earlier stage takes, and what the stage makes.
enum class Stage : std::uint8_t {
  Lowering,  ///< Architecture, StreamingMemory: plans of the operations, places of the data, steps
  Exchange,  ///< ExchangeMode: schedules of the exchanges
  Memory,    ///< CodeSizes: where every tile has what
  Vertices,  ///< CompiledCode: cycles of the vertices that a compiler made
  Timing,    ///< Platform: what transfers and counters take
};

/// The first stage that takes different values from the two machines; Timing if there is none.
Stage firstToDiffer(const Machine& a, const Machine& b);

/// Compiles again for `system`, starting at the first stage that takes another value from it. The
/// outcome equals that of compile(). That stage must not be Lowering, and the program must be one
/// for a single IPU.
void recompile(Executable& executable, const System& system, TimingMode timing);

}  // namespace ipusim::compiler
