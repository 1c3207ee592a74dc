// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/shares.h"

#include <algorithm>
#include <iterator>

namespace ipusim::report {

namespace {

Bytes bytesOn(const VariableResult& variable, std::uint32_t tile) {
  const auto after = std::upper_bound(
      variable.tiles.begin(), variable.tiles.end(), tile,
      [](std::uint32_t asked, const TileRun& run) { return asked < run.first_tile; });
  if (after == variable.tiles.begin()) return Bytes(0);
  const TileRun& run = *std::prev(after);
  return tile - run.first_tile < run.tiles ? run.bytes : Bytes(0);
}

}  // namespace

Bytes bytesOnAll(const VariableResult& variable) {
  Bytes bytes;
  for (const TileRun& run : variable.tiles) bytes += run.bytes * run.tiles;
  return bytes;
}

std::vector<Share> sharesOf(const Result& result, std::uint32_t tile) {
  std::vector<Share> shares;
  for (const VariableResult& variable : result.variables) {
    const Bytes bytes = bytesOn(variable, tile);
    if (bytes > Bytes(0)) shares.push_back({&variable, bytes});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.on_tile > b.on_tile; });
  return shares;
}

std::uint32_t decidingTile(const Result& result) {
  if (result.oom) return result.oom->tile;
  const auto highest = std::max_element(
      result.tiles.begin(), result.tiles.end(),
      [](const TileResult& a, const TileResult& b) { return a.including_gaps < b.including_gaps; });
  return static_cast<std::uint32_t>(highest - result.tiles.begin());
}

}  // namespace ipusim::report
