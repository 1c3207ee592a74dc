// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/intermediate_stage.h"

#include <algorithm>
#include <cmath>

#include "base/numbers/grain_parts.h"

namespace ipusim::workloads {

namespace {

// Source: as needsIntermediateStage().
constexpr std::uint64_t kPartialsAtOnce = 64;  ///< as many of a column need no intermediate stage

// Source: as rowsPerReduction().
constexpr std::uint64_t kLeastElements = 64;  ///< of one reduction
constexpr std::uint64_t kLeastRows = 2;       ///< of one reduction

/// floor(sqrt(n)).
std::uint64_t wholeRoot(std::uint64_t n) {
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (root * root > n) --root;
  while ((root + 1) * (root + 1) <= n) ++root;
  return root;
}

/// The columns at which bands end, and those at which parts of all columns end, ascending.
std::vector<std::uint64_t> cutsOf(const std::vector<DepthBand>& bands, const GrainParts& parts) {
  std::vector<std::uint64_t> cuts;
  cuts.reserve(bands.size() + parts.parts);
  for (const DepthBand& band : bands) cuts.push_back(band.end);
  for (std::uint64_t part = 1; part <= parts.parts; ++part) cuts.push_back(parts.beginOf(part));
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

/// The parts in which a stage cuts its columns, before it cuts them at the borders of bands.
GrainParts partsOfColumns(const PartialColumns& sources, const std::vector<DepthBand>& bands,
                          std::uint64_t grain, std::uint64_t tiles) {
  std::uint64_t narrowest = sources.columns();
  for (const DepthBand& band : bands) narrowest = std::min(narrowest, band.end - band.begin);
  const std::uint64_t root = wholeRoot(sources.partials() / sources.columns());
  const std::uint64_t least = std::max(grain, narrowest / grain / root * grain);
  return splitInGrains(sources.columns(), {grain, tiles, least});
}

}  // namespace

std::uint64_t reductionGrain(const TileCore& core, models::ReduceOp op, ElementType partials) {
  const bool adds = op == models::ReduceOp::Add || op == models::ReduceOp::SquareAdd;
  return std::uint64_t{core.vectorWidth(partials)} * (adds ? 2 : 1);
}

bool needsIntermediateStage(const Interconnect& tiles, const PartialColumns& partials) {
  if (partials.partials() <= checkedProduct(kPartialsAtOnce, partials.columns())) return false;
  // M < 2 sqrt(T) without roots.
  const std::uint64_t most = partials.mostTiles();
  const bool is_shallow = most * most < 4 * std::uint64_t{tiles.tiles};
  const bool is_spread = partials.tilesInUse() > 3 * std::uint64_t{tiles.tiles} / 4;
  return !(is_shallow && is_spread);
}

std::vector<DepthBand> mergedBands(const TileCore& core, const PartialColumns& partials,
                                   std::uint64_t grain, ElementType type) {
  const std::uint64_t store =
      std::max<std::uint64_t>(1, core.atomic_store.value() / sizeOf(type).value());
  std::vector<DepthBand> bands;
  for (const PartialColumns::Region& region : partials.regions()) {
    const bool merges = !bands.empty() && bands.back().depth == region.depth &&
                        region.begin % grain != 0 && region.begin % store == 0;
    if (merges) {
      bands.back().end = region.end;
    } else {
      bands.push_back({region.begin, region.end, region.depth});
    }
  }
  return bands;
}

std::uint64_t rowsPerReduction(std::uint64_t tiles, std::uint64_t partials,
                               const ReductionPiece& piece) {
  const std::uint64_t elements = checkedProduct(piece.depth, piece.width);
  const std::uint64_t ideal = std::max<std::uint64_t>(1, partials / tiles);
  std::uint64_t parts = std::max<std::uint64_t>(1, elements / ideal);
  if (elements / parts < kLeastElements) {
    parts = std::max<std::uint64_t>(1, elements / kLeastElements);
  }
  if (piece.depth / parts < kLeastRows) {
    parts = std::max<std::uint64_t>(1, piece.depth / kLeastRows);
  }
  return std::max(kLeastRows, ceilDiv(piece.depth, parts));
}

std::vector<PartialReduction> intermediateReductions(const Architecture& machine,
                                                     const ReduceStage& stage,
                                                     const PartialColumns& sources,
                                                     std::uint32_t first_tile) {
  const std::uint64_t grain = reductionGrain(machine, stage.op, stage.partials);
  const std::vector<DepthBand> bands = mergedBands(machine, sources, grain, stage.partials);
  const GrainParts parts = partsOfColumns(sources, bands, grain, machine.tiles);
  const std::uint64_t partials = sources.partials();
  std::vector<PartialReduction> reductions;
  std::uint64_t begin = 0;
  std::uint32_t tile = first_tile % machine.tiles;
  auto band = bands.begin();
  for (const std::uint64_t end : cutsOf(bands, parts)) {
    while (band->end <= begin) ++band;
    const std::uint64_t rows =
        rowsPerReduction(machine.tiles, partials, {end - begin, band->depth});
    for (std::uint64_t first = 0; first < band->depth; first += rows) {
      const std::uint64_t last = std::min(first + rows, band->depth);
      reductions.push_back({TileId(tile), begin, end, first, last});
      tile = (tile + 1) % machine.tiles;
    }
    begin = end;
  }
  return reductions;
}

PartialColumns partialsAfter(const std::vector<PartialReduction>& reductions) {
  std::vector<HeldRows> held;
  held.reserve(reductions.size());
  for (const PartialReduction& one : reductions) held.push_back({one.tile, one.begin, one.end});
  return PartialColumns(held);
}

}  // namespace ipusim::workloads
