// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/compile.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "sim/compile/liveness.h"
#include "sim/compile/lower.h"
#include "sim/compile/memory.h"
#include "sim/compile/tile_programs.h"

namespace ipusim::compiler {

namespace {

ExchangePlans planExchanges(const Executable& executable) {
  ExchangePlans plans;
  for (std::uint32_t s = 0; s < executable.steps.size(); ++s) {
    const Step& step = executable.steps[s];
    if (step.kind != StepKind::Exchange) continue;
    plans.emplace(StepId{s}, planExchange(executable.machine, step, executable.blocks));
  }
  return plans;
}

/// Fills in `volumes`, `exchange_code` and, but for their times, `programs`.
void scheduleExchanges(Executable& executable) {
  executable.programs = {};  // the old ones and the plans are more than a small memory holds
  ExchangePlans plans = planExchanges(executable);
  executable.volumes.assign(executable.steps.size(), {});
  executable.exchange_code.assign(executable.machine.tiles, {});
  for (const auto& [step, plan] : plans) {
    executable.volumes[indexOf(step)] = volumeOf(executable.steps[indexOf(step)], plan);
    addExchangeCode(plan, executable.exchange_code);
  }
  executable.programs = writePrograms(executable, std::move(plans));
}

}  // namespace

Executable compile(const Graph& graph, const Machine& machine, TimingMode timing) {
  Executable executable;
  executable.machine = machine;
  Placement placement(graph, machine.tiles);
  LoweredProgram lowered = lower(graph, machine, placement);
  executable.steps = std::move(lowered.steps);
  executable.control = std::move(lowered.control);
  executable.positions = programOrder(executable.control);
  placement.moveInto(executable);
  setLiveRanges(executable);
  recompile(executable, machine, timing, Stage::Exchange);
  return executable;
}

void recompile(Executable& executable, const Machine& machine, TimingMode timing, Stage from) {
  check(from != Stage::Lowering, "what a program is lowered from is its graph");
  executable.machine = machine;
  if (from <= Stage::Exchange) scheduleExchanges(executable);
  if (from <= Stage::Memory) layOutMemory(executable, fixedBytes(executable));
  executable.programs.timing = timingOf(machine, timing);
}

}  // namespace ipusim::compiler
