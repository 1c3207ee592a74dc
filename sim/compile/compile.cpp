// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/compile.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ipusim/error.h"
#include "ipusim/verify.h"
#include "sim/compile/emit/row_copy.h"
#include "sim/compile/emit/tile_programs.h"
#include "sim/compile/layout/liveness.h"
#include "sim/compile/layout/memory.h"
#include "sim/compile/lower/flow_numbers.h"
#include "sim/compile/lower/ipu_parts.h"
#include "sim/compile/lower/lower.h"
#include "sim/compile/schedule/global_exchanges.h"

namespace ipusim::compiler {

namespace {

/// Adds what the exchanges on the next IPU amount to.
void addTraffic(const Traffic& of_ipu, Traffic& all) {
  all.volumes.resize(of_ipu.volumes.size());
  for (std::size_t s = 0; s < of_ipu.volumes.size(); ++s) {
    ExchangeVolume& volume = all.volumes[s];
    volume.bytes += of_ipu.volumes[s].bytes;
    volume.messages += of_ipu.volumes[s].messages;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, of_ipu.volumes[s].max_tile_bytes);
    volume.activity += of_ipu.volumes[s].activity;
  }
  all.exchange_code.insert(all.exchange_code.end(), of_ipu.exchange_code.begin(),
                           of_ipu.exchange_code.end());
  all.activity_of_tile.insert(all.activity_of_tile.end(), of_ipu.activity_of_tile.begin(),
                              of_ipu.activity_of_tile.end());
}

/// Sets the times in the program of an IPU, which does `part`.
void setTimes(const Lowered& part, const System& system, TimingMode timing, ChipPrograms& chip) {
  const Machine& ipu = system.ipu;
  chip.timing = timingOf(ipu, ipu, timing);
  chip.host_transfers = hostTransfersOf(part.steps, ipu);
  addRemoteTransfers(part, ipu, system.ipus, chip);
}

/// Schedules the exchanges on each IPU and between IPUs, and writes the programs. Each IPU gets a
/// program of its own: its exchanges are scheduled on its own fabric, and its tiles are numbered
/// from 0. IPUs with equal programs share one.
void writePrograms(Executable& executable, TimingMode timing, WithoutCost without_cost) {
  const auto& [system, lowered] = std::tie(executable.system, executable.lowered);
  executable.traffic = {};
  executable.programs = {};  // the old programs and the plans together do not fit a small memory
  IpuParts parts(lowered, {system.ipus, system.ipu.tiles});
  const auto global_exchanges =
      std::count_if(lowered.steps.begin(), lowered.steps.end(),
                    [](const Step& step) { return step.kind == StepKind::GlobalExchange; });
  for (std::uint32_t ipu = 0; ipu < system.ipus; ++ipu) {
    const Lowered& part = parts.of(ipu);
    Scheduled scheduled = schedule(part, system.ipu, system.ipu.exchange);
    addTraffic(scheduled.traffic, executable.traffic);
    ChipPrograms chip = emit(part, std::move(scheduled.plans), system.ipu, without_cost);
    setTimes(part, system, timing, chip);
    chip.in_pod = system.ipus > 1;
    chip.global_exchanges = static_cast<std::uint32_t>(global_exchanges);
    addIpu(std::move(chip), executable.programs);
  }
  executable.programs.link_sets = static_cast<std::uint32_t>(system.links.size());
  executable.programs.exchanges = planGlobalExchanges(system, lowered, executable.traffic);
}

void layOutMemory(Executable& executable) {
  Lowered& lowered = executable.lowered;
  const auto fixed = fixedBytes(lowered, executable.traffic.exchange_code, executable.system);
  executable.memory = layOut(lowered, executable.system.ipu, fixed);
}

/// Gives every vertex the cycles that it takes on the executable's machine; until now it has the
/// cycles of `before`. Returns false, and leaves the programs as they were, where kind and cycles
/// do not tell vertex types apart.
bool replaceVertexCycles(const Architecture& before, Executable& executable) {
  std::map<std::pair<VertexKind, std::uint64_t>, Cycles> now;
  for (const Step& step : executable.lowered.steps) {
    for (const BoundFamily& family : step.families) {
      const VertexType& type = *family.type;
      const Cycles cycles = type.cycles(executable.system.ipu);
      const auto key = std::pair(type.kind, type.cycles(before).value());
      if (now.emplace(key, cycles).first->second != cycles) return false;
    }
  }
  for (TileProgram& tile : executable.programs.chips.front().tiles) {
    for (VertexRun& run : tile.vertices) run.cycles = now.at({run.kind, run.cycles.value()});
  }
  return true;
}

CompiledGraph compiled(LoweredGraph graph, const System& system, TimingMode timing,
                       WithoutCost without_cost = WithoutCost::Refused) {
  Executable executable;
  executable.system = system;
  executable.lowered = std::move(graph.lowered);
  writePrograms(executable, timing, without_cost);
  layOutMemory(executable);
  return {std::move(executable), std::move(graph.step_ends)};
}

/// The tiles of the system, which can run the remote copies of the graph.
TileSpace spaceFor(const Graph& graph, const System& system) {
  verifyRemoteCopies(graph, system.ipu, system.ipus, system.name);
  return {system.ipus, system.ipu.tiles};
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

Executable compile(const Graph& graph, const System& system, TimingMode timing,
                   const ExecutionRecord& record) {
  LoweredGraph lowered{lower(graph, spaceFor(graph, system), record), {}};
  return compiled(std::move(lowered), system, timing).executable;
}

CompiledGraph compileAndRelease(Graph& graph, const System& system, TimingMode timing,
                                const ExecutionRecord& record) {
  return compiled(lowerAndRelease(graph, spaceFor(graph, system), record), system, timing);
}

CompiledGraph compileSteps(Graph& graph, const System& system, const OrdersOf& orders_of) {
  return compiled(loweredSteps(graph, spaceFor(graph, system), orders_of), system,
                  TimingMode::Program, WithoutCost::Apart);
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

void recompile(Executable& executable, const System& system, TimingMode timing) {
  Stage stage = firstToDiffer(executable.system.ipu, system.ipu);
  check(stage != Stage::Lowering, "what a program is lowered from is its graph");
  check(executable.system.ipus == 1 && system.ipus == 1,
        "a program on several IPUs is compiled from its graph");
  const System before = std::exchange(executable.system, system);
  if (stage > Stage::Exchange && !(before.ipu.compiled == system.ipu.compiled)) {
    if (!replaceVertexCycles(before.ipu, executable)) stage = Stage::Exchange;
  }
  if (stage <= Stage::Exchange) {
    writePrograms(executable, timing, WithoutCost::Refused);
  } else {
    setTimes(executable.lowered, system, timing, executable.programs.chips.front());
  }
  if (stage <= Stage::Memory) layOutMemory(executable);
}

}  // namespace ipusim::compiler
