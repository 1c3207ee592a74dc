// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "sim/run/summary/summarize.h"

namespace ipusim::run {

using compiler::Executable;

namespace {

/// The cycles that all tiles spend in exchanges between IPUs, without waiting for the last IPU.
Cycles transferCycles(const SystemPrograms& programs, const std::vector<StepResult>& steps) {
  Cycles cycles;
  auto exchange = programs.exchanges.begin();
  for (const StepResult& step : steps) {
    if (step.kind != StepKind::GlobalExchange) continue;
    cycles += step.iterations * exchange->transfer;
    ++exchange;
  }
  return cycles;
}

std::vector<LinkResult> linksOf(const System& system, const std::vector<LinkUse>& uses) {
  std::vector<LinkResult> links;
  for (std::size_t s = 0; s < uses.size(); ++s) {
    if (uses[s].bytes == Bytes(0)) continue;
    const LinkSet& set = system.links[s];
    links.push_back({set.from, set.to, set.links, uses[s].bytes, uses[s].busy});
  }
  std::stable_sort(links.begin(), links.end(),
                   [](const LinkResult& a, const LinkResult& b) { return a.busy > b.busy; });
  return links;
}

IpuResult ipuOf(const std::vector<TileResult>& tiles, Cycles end, double clock_hz) {
  const MemoryResult memory = summarizeMemory(tiles);
  const TimeResult time = summarizeTime(tiles, end, clock_hz);
  IpuResult ipu;
  ipu.compute = time.compute;
  ipu.exchange = time.exchange;
  ipu.links = time.links;
  ipu.sync = time.sync;
  ipu.host = time.host;
  ipu.memory = memory.total;
  ipu.max_tile_bytes = memory.max_tile_bytes;
  ipu.max_tile = memory.max_tile;
  return ipu;
}

}  // namespace

std::optional<SystemResult> summarizeSystem(const Executable& executable, const Measured& measured,
                                            const std::vector<StepResult>& steps,
                                            std::vector<TileResult>& tiles) {
  const System& of_run = executable.system;
  if (of_run.ipus == 1) return std::nullopt;
  const SystemPrograms& programs = executable.programs;
  const Cycles transfers = transferCycles(programs, steps);
  for (TileResult& tile : tiles) {
    tile.sync += excess(tile.links, transfers);
    tile.links = std::min(tile.links, transfers);
  }
  SystemResult system;
  system.tiles_per_ipu = of_run.ipu.tiles;
  system.programs = static_cast<std::uint32_t>(programs.chips.size());
  for (std::uint32_t i = 0; i < of_run.ipus; ++i) {
    const auto first = tiles.begin() + static_cast<std::ptrdiff_t>(i) * of_run.ipu.tiles;
    system.ipus.push_back(ipuOf({first, first + of_run.ipu.tiles}, measured.tiles.end,
                                executable.system.ipu.clock_hz));
    system.ipus.back().program = programs.chip_of_ipu[i];
  }
  system.links = linksOf(of_run, measured.links);
  return system;
}

}  // namespace ipusim::run
