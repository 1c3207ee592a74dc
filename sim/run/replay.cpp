// SPDX-License-Identifier: Apache-2.0
#include "sim/run/replay.h"

#include <algorithm>
#include <vector>

#include "base/config/size_error.h"
#include "ipusim/verify.h"
#include "sim/compile/lower/lower.h"
#include "sim/compile/lower/lowering_size.h"
#include "sim/run/host_cost.h"
#include "sim/run/with_source.h"

namespace ipusim::run {

namespace {

/// A program of so many parts is lowered in 0.2 s and 50 MB.
constexpr std::uint64_t kMostParts = 500'000;
/// A program of so many steps of tiles is compiled and timed in 0.5 s and 150 MB.
constexpr std::uint64_t kMostTileSteps = 10'000'000;

/// Finds how often the step runs that runs most often.
struct MostIterations {
  double& most;
  double times = 1;

  void operator()(StepId /*step*/) const { most = std::max(most, times); }
  void operator()(const compiler::Loop& loop) const {
    walk(loop.body, MostIterations{most, times * static_cast<double>(loop.iterations)});
  }
};

double real(std::uint64_t count) {
  return static_cast<double>(count);
}

/// What all steps of the graph count if each runs once: operations, bytes and cycles of vertices.
double countedOnce(const Graph& graph, const Architecture& machine) {
  double all = 0;
  for (const ComputeSet& set : graph.computeSets()) {
    for (const VertexFamily& family : set.families) {
      const VertexType& type = *family.type;
      const double cycles = type.cost ? real(type.cycles(machine).value()) : 0;
      const VertexWork& work = type.work;
      all += family.count * (cycles + real(work.flops.value()) + real(work.loads.value()) +
                             real(work.stores.value()));
    }
  }
  for (const Variable& variable : graph.variables()) {
    const Bytes element = sizeOf(variable.type);
    all += real(element.value()) * real(variable.elements) * real(graph.copies().size() + 1);
  }
  return all;
}

/// Cycles that were measured, in one iteration and on one tile.
double measuredCycles(const ExecutionRecord& record) {
  double all = 0;
  for (const MeasuredStep& step : record.measured) {
    if (const auto* const cycles = std::get_if<Cycles>(&step.cycles)) {
      all += real(cycles->value());
      continue;
    }
    for (const auto& [tile, cycles] : std::get<CyclesByTile>(step.cycles)) {
      all += real(cycles.value());
    }
  }
  for (const auto& [vertex, iterations] : record.cycles) {
    iterations.forEachRun(
        [&all](Cycles cycles, std::uint64_t times) { all += real(cycles.value()) * real(times); });
  }
  return all;
}

/// Whether a run might count more than 64 bits hold. What the machine adds of itself, such as syncs
/// and addresses, is far below the margin.
bool mayCountTooFar(const BuiltConfig& built, const ExecutionRecord& record) {
  constexpr double kMargin = 1ULL << 20U;
  constexpr double kMost = 18'446'744'073'709'551'616.0 / kMargin;  // of 64 bits
  const Graph& graph = built.workload.graph;
  double iterations = 1;
  walk(compiler::replayedControl(graph, record), MostIterations{iterations});
  const double once = countedOnce(graph, built.system.allTiles()) + measuredCycles(record) + 1;
  return once > kMost / iterations;
}

/// Times the program as a run does where a count might be too large. Returns false where that would
/// take long.
bool countsAreChecked(const ConfigReader& config, const BuiltConfig& built,
                      const ExecutionRecord& record) {
  if (!mayCountTooFar(built, record)) return true;
  const Graph& graph = built.workload.graph;
  const std::uint64_t steps = compiler::stepsOf(graph);
  if (steps > kMostTileSteps / built.system.tiles() || compiler::mostPartsOf(graph) > kMostParts) {
    return false;
  }
  static_cast<void>(simulate(config, Engine::ClosedForm));
  return true;
}

bool stepsAreChecked(const System& system, const Graph& graph, const ExecutionRecord& record) {
  const bool is_small = system.ipus == 1 || compiler::mostPartsOf(graph) <= kMostParts;
  if (is_small) verifyRemoteCopies(graph, system.ipu, system.ipus, system.name);
  const compiler::TileSpace space{system.ipus, system.ipu.tiles};
  const bool checked = compiler::checkRecord(graph, space, record, kMostParts);
  return checked && (is_small || graph.remoteCopies().empty());
}

}  // namespace

ReplayedProgram replayProgram(const ConfigReader& config) {
  const System system = readSystem(config);
  ReplayedProgram replayed{build(config), false};
  const workloads::BuiltWorkload& workload = replayed.built.workload;
  replayed.checked_all = withinLimits(config.table("workload"), [&] {
    return withSource(workload, [&] {
      const auto record = workload.record.value_or(ExecutionRecord());
      const bool steps = stepsAreChecked(system, workload.graph, record);
      return countsAreChecked(config, replayed.built, record) && steps;
    });
  });
  return replayed;
}

}  // namespace ipusim::run
