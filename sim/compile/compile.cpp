// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/compile.h"

#include <utility>

#include "ipusim/error.h"
#include "sim/compile/lower.h"
#include "sim/compile/memory.h"
#include "sim/compile/tile_programs.h"

namespace ipusim::compiler {

namespace {

void scheduleExchanges(Executable& executable) {
  const Machine& machine = executable.machine;
  executable.programs = {};  // the old ones and the plans are more than a small memory holds
  Scheduled scheduled = schedule(executable, machine, machine.exchange);
  static_cast<Traffic&>(executable) = std::move(scheduled.traffic);
  executable.programs = emit(executable, std::move(scheduled.plans), machine);
}

void layOutMemory(Executable& executable) {
  const Machine& machine = executable.machine;
  const auto fixed = fixedBytes(executable, executable.exchange_code, machine.code);
  static_cast<Placed&>(executable) = layOut(executable, machine, fixed);
}

void compileFrom(Stage stage, Executable& executable, TimingMode timing) {
  const Machine& machine = executable.machine;
  if (stage <= Stage::Exchange) scheduleExchanges(executable);
  if (stage <= Stage::Memory) layOutMemory(executable);
  executable.programs.timing = timingOf(machine, machine, timing);
  executable.programs.host_transfers = hostTransfersOf(executable.steps, machine);
}

}  // namespace

Executable compile(const Graph& graph, const Machine& machine, TimingMode timing) {
  Executable executable;
  executable.machine = machine;
  static_cast<Lowered&>(executable) = lower(graph, machine.tiles);
  compileFrom(Stage::Exchange, executable, timing);
  return executable;
}

Executable compileAndRelease(Graph& graph, const Machine& machine, TimingMode timing) {
  Executable executable;
  executable.machine = machine;
  static_cast<Lowered&>(executable) = lower(graph, machine.tiles);
  graph.releaseSteps();
  compileFrom(Stage::Exchange, executable, timing);
  return executable;
}

Stage firstToDiffer(const Machine& a, const Machine& b) {
  if (!(static_cast<const Architecture&>(a) == static_cast<const Architecture&>(b))) {
    return Stage::Lowering;
  }
  if (a.exchange != b.exchange) return Stage::Exchange;
  return a.code == b.code ? Stage::Timing : Stage::Memory;
}

void recompile(Executable& executable, const Machine& machine, TimingMode timing) {
  const Stage stage = firstToDiffer(executable.machine, machine);
  check(stage != Stage::Lowering, "what a program is lowered from is its graph");
  executable.machine = machine;
  compileFrom(stage, executable, timing);
}

}  // namespace ipusim::compiler
