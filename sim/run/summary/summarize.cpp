// SPDX-License-Identifier: Apache-2.0
#include "sim/run/summary/summarize.h"

#include <fmt/format.h>

#include <algorithm>

#include "ipusim/error.h"
#include "sim/run/chip_cost.h"
#include "sim/run/summary/activity.h"
#include "sim/run/summary/compression.h"
#include "sim/run/summary/layers.h"
#include "sim/run/summary/mean.h"
#include "sim/run/uncertainty.h"

namespace ipusim::run {

using compiler::Executable;

namespace {

MachineResult summarizeMachine(const System& system) {
  const Machine& ipu = system.ipu;
  return {system.machineName(), system.tiles(), ipu.sram_per_tile, ipu.code_region, ipu.clock_hz};
}

WorkResult summarizeWork(const workloads::BuiltWorkload& workload, const TimeResult& time) {
  WorkResult work;
  work.flops = workload.flops.value();
  work.nonzero_flops = workload.nonzero_flops;
  if (time.cycles == Cycles(0)) return work;
  const auto flops = static_cast<double>(work.flops.value());
  work.flops_per_second = flops / time.seconds;
  const auto done = static_cast<double>(workload.nonzero_flops.value_or(work.flops).value());
  if (workload.nonzero_flops) work.nonzero_flops_per_second = done / time.seconds;
  if (workload.peak_flops_per_cycle > 0) {
    const double fraction =
        done / (workload.peak_flops_per_cycle * static_cast<double>(time.cycles.value()));
    if (fraction > 1) return work;
    work.peak_units = workload.peak_units;
    work.peak_fraction = fraction;
  }
  return work;
}

/// No units work faster than their peak: work and peak that say so were both stated, by a trace or
/// for a vertex of a user, and one of them is wrong.
void warnAbovePeak(const workloads::BuiltWorkload& workload, RunResult& result) {
  const bool is_above = workload.peak_flops_per_cycle > 0 && result.time.cycles > Cycles(0) &&
                        !result.work.peak_fraction;
  if (!is_above) return;
  result.warnings.push_back(
      fmt::format("the work, {} operations in {} cycles, is above the peak of {:.6g} operations a "
                  "cycle, so no share of the peak is given: the stated work, the stated cycles or "
                  "the stated peak is wrong",
                  result.work.nonzero_flops.value_or(result.work.flops).value(),
                  result.time.cycles.value(), workload.peak_flops_per_cycle));
}

TileResult memoryOf(const compiler::TileMemory& memory) {
  TileResult tile;
  tile.bytes = memory.at_peak;
  tile.always_live = memory.always_live;
  tile.peak_not_always_live = memory.peak_not_always_live;
  tile.including_gaps = memory.highest_address;
  tile.over = memory.bytes_over;
  return tile;
}

Cycles& cyclesOf(TileResult& tile, StepKind kind) {
  switch (kind) {
    case StepKind::Compute:
      return tile.compute;
    case StepKind::OnTileCopy:
      return tile.copy;
    case StepKind::Exchange:
      return tile.exchange;
    case StepKind::GlobalExchange:
      return tile.links;
    case StepKind::HostCopy:
      return tile.host;
    case StepKind::RemoteBegin:
    case StepKind::RemoteEnd:
      return tile.streaming;
    case StepKind::Sync:
      break;
  }
  return tile.sync;
}

Bytes bytesWithoutCode(const CategoryBytes& bytes) {
  Bytes total;
  for (std::size_t c = 0; c < bytes.size(); ++c) {
    if (!isCode(static_cast<MemoryCategory>(c))) total += bytes[c];
  }
  return total;
}

}  // namespace

std::vector<TileResult> summarizeTiles(const Executable& executable, const ChipResult& measured) {
  check(measured.tiles == executable.memory.tiles.size(), "every tile has a memory map");
  std::vector<TileResult> tiles;
  tiles.reserve(measured.tiles);
  for (const compiler::TileMemory& memory : executable.memory.tiles) {
    tiles.push_back(memoryOf(memory));
  }
  for (std::uint32_t s = 0; s < executable.lowered.steps.size(); ++s) {
    const StepKind kind = executable.lowered.steps[s].kind;
    for (std::uint32_t t = 0; t < measured.tiles; ++t) {
      cyclesOf(tiles[t], kind) += measured.busyOf(s, t);
    }
  }
  for (std::uint32_t t = 0; t < measured.tiles; ++t) {
    tiles[t].idle = excess(measured.end, measured.finish[t]);
  }
  return tiles;
}

MemoryResult summarizeMemory(const std::vector<TileResult>& tiles) {
  MemoryResult memory;
  for (std::uint32_t t = 0; t < tiles.size(); ++t) {
    const TileResult& tile = tiles[t];
    memory.always_live += tile.always_live;
    memory.peak_not_always_live += tile.peak_not_always_live;
    memory.total += tile.total();
    memory.total_including_gaps += tile.including_gaps;
    if (tile.total() > memory.max_tile_bytes) {
      memory.max_tile_bytes = tile.total();
      memory.max_tile = t;
    }
    for (std::size_t c = 0; c < tile.bytes.size(); ++c) memory.by_category[c] += tile.bytes[c];
    const Bytes without_code = bytesWithoutCode(tile.bytes);
    memory.total_without_code += without_code;
    memory.max_tile_without_code = std::max(memory.max_tile_without_code, without_code);
  }
  return memory;
}

TimeResult summarizeTime(const std::vector<TileResult>& tiles, Cycles end, double clock_hz) {
  Mean compute(tiles.size());
  Mean exchange(tiles.size());
  Mean host(tiles.size());
  Mean links(tiles.size());
  Mean streaming(tiles.size());
  for (const TileResult& tile : tiles) {
    compute.add(tile.compute + tile.copy);
    exchange.add(tile.exchange);
    host.add(tile.host);
    links.add(tile.links);
    streaming.add(tile.streaming);
  }
  TimeResult time;
  time.cycles = end;
  time.seconds = secondsOf(end, clock_hz);
  time.compute = compute.roundedDown();
  time.exchange = exchange.roundedDown();
  time.host = host.roundedDown();
  time.links = links.roundedDown();
  time.streaming = streaming.roundedDown();
  time.sync = excess(end, time.compute + time.exchange + time.host + time.links + time.streaming);
  return time;
}

TrainingResult summarizeTraining(const workloads::TrainingSummary& training, double chip_seconds) {
  const auto total = static_cast<double>(training.total());
  const double seconds = chip_seconds + total * training.host_step_seconds;
  return {training.steps, training.epochs, seconds / total, training.host_step_seconds, seconds};
}

Result summarizeRun(const Graph& graph, const Executable& executable, const Measured& measured) {
  const ChipResult& cycles = measured.tiles;
  Result result;
  result.machine = summarizeMachine(executable.system);
  result.graph = countsOf(executable);
  result.oom = outOfMemory(graph, executable);
  result.steps = summarizeSteps(executable, cycles);
  result.tiles = summarizeTiles(executable, cycles);
  result.system = summarizeSystem(executable, measured, result.steps, result.tiles);
  result.memory = summarizeMemory(result.tiles);
  result.time = summarizeTime(result.tiles, cycles.end, executable.system.ipu.clock_hz);
  result.in_use = summarizeInUse(executable, cycles, result.tiles);
  addActivity(executable, result);
  result.program = summarizeProgram(executable.lowered.control);
  result.positions.reserve(executable.lowered.positions.size());
  for (const StepId step : executable.lowered.positions) {
    result.positions.push_back(static_cast<std::uint32_t>(step));
  }
  result.liveness = executable.memory.liveness;
  result.variables = summarizeVariables(graph, executable);
  result.engine.iterations_simulated = cycles.iterations_simulated;
  result.engine.tile_steps = cycles.tile_steps;
  return result;
}

RunResult summarize(const Experiment& experiment, const Measured& measured) {
  RunResult result;
  static_cast<Result&>(result) =
      summarizeRun(experiment.workload.graph, experiment.executable, measured);
  result.layers = layersOf(experiment.workload.layers, result.steps);
  addExperiment(experiment, result);
  return result;
}

void addExperiment(const Experiment& experiment, RunResult& result) {
  result.config = experiment.config;
  result.workload = experiment.workload_kind;
  result.parameters = experiment.parameters;
  result.uncertainty = uncertaintyOf(experiment, result);
  result.work = summarizeWork(experiment.workload, result.time);
  addCosts(experiment, result);
  result.plan = experiment.workload.plan;
  result.model = experiment.workload.model;
  if (experiment.workload.compression) {
    const auto& training = experiment.workload.training;
    const std::uint64_t steps = training ? training->steps : 1;
    result.compression = compressionOf(*experiment.workload.compression, steps, result);
  }
  result.passes = experiment.workload.passes;
  result.warnings = experiment.workload.warnings;
  warnAbovePeak(experiment.workload, result);
  if (experiment.workload.training) {
    result.training = summarizeTraining(*experiment.workload.training, result.time.seconds);
  }
  if (experiment.compare) {
    result.compare = compareWithGpu(*experiment.compare, experiment.workload, result);
    if (experiment.workload.gpu) {
      compareLayers(*experiment.compare, *experiment.workload.gpu, result.layers);
    }
  }
}

}  // namespace ipusim::run
