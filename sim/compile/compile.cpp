// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/compile.h"

#include <map>
#include <utility>

#include "ipusim/error.h"
#include "ipusim/verify.h"
#include "sim/compile/compile_pod.h"
#include "sim/compile/flow_numbers.h"
#include "sim/compile/liveness.h"
#include "sim/compile/lower.h"
#include "sim/compile/memory.h"
#include "sim/compile/row_copy.h"
#include "sim/compile/tile_programs.h"

namespace ipusim::compiler {

namespace {

void scheduleExchanges(Executable& executable, WithoutCost without_cost) {
  const Machine& machine = executable.machine;
  executable.programs = {};  // the old programs and the plans together do not fit a small memory
  Scheduled scheduled = schedule(executable.lowered, machine, machine.exchange);
  executable.traffic = std::move(scheduled.traffic);
  executable.programs = emit(executable.lowered, std::move(scheduled.plans), machine, without_cost);
}

void layOutMemory(Executable& executable) {
  const Machine& machine = executable.machine;
  const auto fixed = fixedBytes(executable.lowered, executable.traffic.exchange_code, machine);
  executable.memory = layOut(executable.lowered, machine, fixed);
}

/// Gives every vertex the cycles that it takes on the executable's machine; until now it has the
/// cycles of `before`. Returns false, and leaves the programs as they were, where kind and cycles
/// do not tell vertex types apart.
bool replaceVertexCycles(const Architecture& before, Executable& executable) {
  std::map<std::pair<VertexKind, std::uint64_t>, Cycles> now;
  for (const Step& step : executable.lowered.steps) {
    for (const BoundFamily& family : step.families) {
      const VertexType& type = *family.type;
      const Cycles cycles = type.cycles(executable.machine);
      const auto key = std::pair(type.kind, type.cycles(before).value());
      if (now.emplace(key, cycles).first->second != cycles) return false;
    }
  }
  for (TileProgram& tile : executable.programs.tiles) {
    for (VertexRun& run : tile.vertices) run.cycles = now.at({run.kind, run.cycles.value()});
  }
  return true;
}

void compileFrom(Stage stage, Executable& executable, TimingMode timing,
                 WithoutCost without_cost = WithoutCost::Refused) {
  const Machine& machine = executable.machine;
  if (stage <= Stage::Exchange) scheduleExchanges(executable, without_cost);
  if (stage <= Stage::Memory) layOutMemory(executable);
  executable.programs.timing = timingOf(machine, machine, timing);
  executable.programs.host_transfers = hostTransfersOf(executable.lowered.steps, machine);
  addRemoteTransfers(executable.lowered, machine, 1, executable.programs);
}

Executable compiledForChip(Lowered lowered, const Machine& machine, TimingMode timing) {
  Executable executable;
  executable.machine = machine;
  executable.lowered = std::move(lowered);
  compileFrom(Stage::Exchange, executable, timing);
  return executable;
}

Executable compiled(Lowered lowered, const Pod& pod, TimingMode timing) {
  if (pod.ipus == 1) return compiledForChip(std::move(lowered), pod.ipu, timing);
  return compiledForPod(std::move(lowered), pod, timing);
}

/// A record of a run that comes once to each decision and always goes the first way.
ExecutionRecord firstWays(const Graph& graph) {
  ExecutionRecord record;
  const FlowNumbers decisions(graph);
  record.branches.resize(decisions.branches());
  for (auto& branch : record.branches) branch.append(0);
  record.trips.resize(decisions.whiles());
  for (auto& trips : record.trips) trips.append(0);
  return record;
}

/// Lowers a graph to steps that stand one behind the other.
LoweredGraph loweredSteps(Graph& graph, const TileSpace& space, const OrdersOf& orders_of) {
  LoweredGraph graph_steps = lowerAndRelease(graph, space, firstWays(graph));
  Lowered& lowered = graph_steps.lowered;
  if (orders_of) setLiveRanges(orders_of(graph_steps.step_ends), lowered);
  lowered.control.clear();
  for (std::size_t s = 0; s < lowered.steps.size(); ++s) {
    lowered.control.emplace_back(static_cast<StepId>(s));
  }
  return graph_steps;
}

}  // namespace

Executable compile(const Graph& graph, const Machine& machine, TimingMode timing,
                   const ExecutionRecord& record) {
  verifyRemoteCopies(graph, machine, 1, machine.name);
  return compiledForChip(lower(graph, {1, machine.tiles}, record), machine, timing);
}

Executable compile(const Graph& graph, const Pod& pod, TimingMode timing,
                   const ExecutionRecord& record) {
  verifyRemoteCopies(graph, pod.ipu, pod.ipus, pod.name);
  return compiled(lower(graph, {pod.ipus, pod.ipu.tiles}, record), pod, timing);
}

Executable compileAndRelease(Graph& graph, const Pod& pod, TimingMode timing,
                             const ExecutionRecord& record) {
  verifyRemoteCopies(graph, pod.ipu, pod.ipus, pod.name);
  LoweredGraph lowered = lowerAndRelease(graph, {pod.ipus, pod.ipu.tiles}, record);
  return compiled(std::move(lowered.lowered), pod, timing);
}

CompiledGraph compileAndRelease(Graph& graph, const Machine& machine) {
  verifyRemoteCopies(graph, machine, 1, machine.name);
  LoweredGraph lowered = lowerAndRelease(graph, {1, machine.tiles}, {});
  return {compiledForChip(std::move(lowered.lowered), machine, TimingMode::Program),
          std::move(lowered.step_ends)};
}

CompiledGraph compileSteps(Graph& graph, const Machine& machine, const OrdersOf& orders_of) {
  verifyRemoteCopies(graph, machine, 1, machine.name);
  LoweredGraph lowered = loweredSteps(graph, {1, machine.tiles}, orders_of);
  Executable executable;
  executable.machine = machine;
  executable.lowered = std::move(lowered.lowered);
  compileFrom(Stage::Exchange, executable, TimingMode::Program, WithoutCost::Apart);
  return {std::move(executable), std::move(lowered.step_ends)};
}

CompiledGraph compileSteps(Graph& graph, const Pod& pod, const OrdersOf& orders_of) {
  verifyRemoteCopies(graph, pod.ipu, pod.ipus, pod.name);
  LoweredGraph lowered = loweredSteps(graph, {pod.ipus, pod.ipu.tiles}, orders_of);
  return {compiledForPod(std::move(lowered.lowered), pod, TimingMode::Program, WithoutCost::Apart),
          std::move(lowered.step_ends)};
}

Stage firstToDiffer(const Machine& a, const Machine& b) {
  Architecture like_b = a;
  like_b.compiled = b.compiled;  // no plan depends on the compiled code
  if (!(like_b == static_cast<const Architecture&>(b))) return Stage::Lowering;
  if (!(a.streaming == b.streaming)) return Stage::Lowering;
  if (a.exchange != b.exchange) return Stage::Exchange;
  if (!(a.code == b.code)) return Stage::Memory;
  return a.compiled == b.compiled ? Stage::Timing : Stage::Vertices;
}

void recompile(Executable& executable, const Machine& machine, TimingMode timing) {
  Stage stage = firstToDiffer(executable.machine, machine);
  check(stage != Stage::Lowering, "what a program is lowered from is its graph");
  check(!executable.pod, "a program on several IPUs is compiled from its graph");
  const Machine before = std::exchange(executable.machine, machine);
  if (stage > Stage::Exchange && !(before.compiled == machine.compiled)) {
    if (!replaceVertexCycles(before, executable)) stage = Stage::Exchange;
  }
  compileFrom(stage, executable, timing);
}

}  // namespace ipusim::compiler
