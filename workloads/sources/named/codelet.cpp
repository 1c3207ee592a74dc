// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/codelet.h"

#include <algorithm>
#include <numeric>

#include "base/config/size_error.h"
#include "workloads/vertices/table.h"

namespace ipusim::workloads {

namespace {

std::vector<std::uint32_t> readTiles(const ConfigReader& config, const Architecture& machine) {
  std::vector<std::uint32_t> tiles(machine.tiles);
  std::iota(tiles.begin(), tiles.end(), 0);
  if (!config.has("tiles")) return tiles;
  tiles.clear();
  for (const std::uint64_t tile : config.wholes("tiles", 0, machine.tiles - 1)) {
    tiles.push_back(static_cast<std::uint32_t>(tile));
  }
  std::sort(tiles.begin(), tiles.end());
  if (std::adjacent_find(tiles.begin(), tiles.end()) != tiles.end()) {
    throw config.error("tiles", "each tile once");
  }
  return tiles;
}

/// Throws for a vertex whose data no tile can hold: its sizes together may not fit 64 bits.
void expectWithinTile(const ConfigReader& config, const VertexType& type) {
  constexpr Bytes kLargestTile(std::uint64_t{1} << 30U);
  Bytes bytes;
  for (const Field& field : type.fields) bytes += sizeOf(field.type) * field.elements();
  if (bytes <= kLargestTile) return;
  throw errorAtLargest(config, "sizes of a vertex with at most 1 GiB of data");
}

/// Peak of the matrix engines on half values, which is the machine's highest rate.
double peakFlopsPerCycle(const Architecture& machine) {
  constexpr double kMacsPerUnit = 4.0;  // half elements that a unit takes in a cycle
  return 2.0 * kMacsPerUnit * machine.conv_units.half_half * machine.tiles;
}

}  // namespace

BuiltWorkload buildCodelet(const ConfigReader& config, const Architecture& machine) {
  const auto type = shared(readVertexType(config, machine, "codelet"));
  expectWithinTile(config, *type);
  const std::vector<std::uint32_t> tiles = readTiles(config, machine);

  BuiltWorkload built;
  Graph& graph = built.graph;
  std::vector<Tensor> data;
  for (const Field& field : type->fields) {
    data.push_back(graph.addVariable(field.type, {tiles.size(), field.elements()}, field.name,
                                     Lifetime::Always));
  }
  const ComputeSetId compute_set = graph.addComputeSet(type->name);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    VertexFamily family{type, TileId(tiles[t]), 1, {}};
    for (const Tensor& field : data) {
      const Tensor own = field.slice(t, t + 1, 0);
      graph.setTileMapping(own, TileId(tiles[t]));
      family.fields.push_back({own.view()});
    }
    graph.addVertices(compute_set, std::move(family));
  }
  built.program.add(execute(compute_set));
  built.flops = type->work.flops * tiles.size();
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine);
  built.peak_units = kMatrixEnginesOnHalves;
  const bool raw = config.choice("counter", {"removed", "included"}, "removed") == "included";
  built.timing = raw ? TimingMode::TileCountersRaw : TimingMode::TileCounters;
  return built;
}

}  // namespace ipusim::workloads
