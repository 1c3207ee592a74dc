// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/area.h"

#include <numeric>

#include "models/ipu/energy/quantile.h"

namespace ipusim::energy {

namespace {

// The GC200 that the shares of the die are of. Sources: Graphcore's data sheets; 24 tiles built for
// 23 used from the talk at Hot Chips 33 (anandtech.com 16908).
constexpr double kGc200Tiles = 1472;
constexpr double kGc200SramBytes = 624 * 1024;
constexpr double kGc200HalfMacs = 64;
constexpr double kGc200ExchangeBits = 32;
constexpr double kBuiltTiles = 24;
constexpr double kUsedTiles = 23;
constexpr double kFlopsPerMac = 2;

constexpr double kGc200Built = kGc200Tiles * kBuiltTiles / kUsedTiles;

double& partOf(DieArea& die, AreaPart part) {
  return die.by_part[static_cast<std::size_t>(part)];
}

double halfMacsPerTile(const Architecture& design) {
  return design.peakFlopsPerCycle(ElementType::Half, ElementType::Half) / kFlopsPerMac /
         design.tiles;
}

TileArea tileAreaOf(const Architecture& design, const Values& values) {
  const double per_tile = kGc200Mm2 / kGc200Built;
  const double processor = per_tile * values[Constant::ProcessorShare];
  TileArea tile;
  tile.sram = per_tile * values[Constant::SramShare] *
              static_cast<double>(design.sram_per_tile.value()) / kGc200SramBytes;
  tile.processor = processor * (1 - values[Constant::AmpShare]);
  tile.amp = processor * values[Constant::AmpShare] * halfMacsPerTile(design) / kGc200HalfMacs;
  return tile;
}

}  // namespace

double DieArea::total() const {
  return std::accumulate(by_part.begin(), by_part.end(), 0.0);
}

DieArea dieAreaOf(const Architecture& design, const Values& values) {
  DieArea die;
  die.tile = tileAreaOf(design, values);
  const double built = design.tiles * kBuiltTiles / kUsedTiles;
  partOf(die, AreaPart::Sram) = built * die.tile.sram;
  partOf(die, AreaPart::Processor) = built * die.tile.processor;
  partOf(die, AreaPart::Amp) = built * die.tile.amp;
  const double lanes = values[Constant::Lanes] * values[Constant::LaneMm2];
  const double other = values[Constant::OtherMm2];
  partOf(die, AreaPart::Lanes) = lanes;
  partOf(die, AreaPart::Other) = other;
  const double left =
      kGc200Mm2 * (1 - values[Constant::SramShare] - values[Constant::ProcessorShare]);
  const double tiles = design.tiles / kGc200Tiles;
  const double bits = static_cast<double>(design.fabric.exchange_rate.value()) * kBitsPerByte;
  partOf(die, AreaPart::Exchange) =
      (left - lanes - other) * tiles * tiles * bits / kGc200ExchangeBits;
  return die;
}

AreaResult areaOf(const Architecture& design) {
  AreaResult area;
  std::vector<std::array<double, kAreaParts>> parts;
  std::vector<double> tiles;
  for (const Values& values : shippedDraws()) {
    const DieArea die = dieAreaOf(design, values);
    parts.push_back(die.by_part);
    area.draws.push_back(die.total());
    tiles.push_back(die.tile.total());
  }
  area.die_mm2 = quantileOf(area.draws, 0.5);
  area.low_die_mm2 = quantileOf(area.draws, kLowShare);
  area.high_die_mm2 = quantileOf(area.draws, kHighShare);
  area.tile_mm2 = quantileOf(tiles, 0.5);
  area.by_part = scaledMean(parts, area.die_mm2);
  area.larger_than_reticle = area.die_mm2 > kReticleMm2;
  return area;
}

}  // namespace ipusim::energy
