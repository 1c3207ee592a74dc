// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "sim/run/summary/summarize.h"

namespace ipusim::run {

using compiler::Executable;

namespace {

bool isInUse(const TileResult& tile) {
  const Cycles zero(0);
  return tile.compute > zero || tile.copy > zero || tile.exchange > zero || tile.host > zero ||
         tile.streaming > zero;
}

std::vector<std::uint32_t> tilesInUse(const std::vector<TileResult>& tiles) {
  std::vector<std::uint32_t> used;
  for (std::uint32_t t = 0; t < tiles.size(); ++t) {
    if (isInUse(tiles[t])) used.push_back(t);
  }
  return used;
}

double meanOf(const std::vector<std::uint32_t>& used, const ChipResult& measured,
              std::uint32_t step) {
  double all = 0;
  for (const std::uint32_t tile : used) {
    all += static_cast<double>(measured.busyOf(step, tile).value());
  }
  return all / static_cast<double>(used.size());
}

}  // namespace

std::optional<TilesInUse> summarizeInUse(const Executable& executable, const ChipResult& measured,
                                         const std::vector<TileResult>& tiles) {
  const std::vector<std::uint32_t> used = tilesInUse(tiles);
  if (executable.system.ipus > 1 || used.empty() || used.size() == tiles.size())
    return std::nullopt;
  std::vector<TileResult> of_use;
  TilesInUse in_use;
  in_use.tiles = static_cast<std::uint32_t>(used.size());
  for (const std::uint32_t tile : used) {
    of_use.push_back(tiles[tile]);
    in_use.idle_cycles +=
        static_cast<double>(tiles[tile].idle.value()) / static_cast<double>(used.size());
  }
  const TimeResult time = summarizeTime(of_use, measured.end, executable.system.ipu.clock_hz);
  in_use.compute = time.compute;
  in_use.exchange = time.exchange;
  in_use.sync = time.sync;
  in_use.host = time.host;
  in_use.streaming = time.streaming;
  for (std::uint32_t s = 0; s < executable.lowered.steps.size(); ++s) {
    in_use.step_cycles.push_back(meanOf(used, measured, s));
  }
  return in_use;
}

}  // namespace ipusim::run
