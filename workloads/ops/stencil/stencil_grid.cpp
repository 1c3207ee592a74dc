// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/stencil/stencil_grid.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "ipusim/error.h"
#include "ipusim/units.h"

namespace ipusim::workloads {

namespace {

/// All places of a grid of those sizes, the last dimension fastest.
std::vector<GridSizes> placesOf(const GridSizes& sizes) {
  std::vector<GridSizes> places{{}};
  for (const std::uint64_t size : sizes) {
    std::vector<GridSizes> longer;
    for (const GridSizes& place : places) {
      for (std::uint64_t i = 0; i < size; ++i) {
        longer.push_back(place);
        longer.back().push_back(i);
      }
    }
    places = std::move(longer);
  }
  return places;
}

/// All ways to write `count` as a product of one factor per dimension.
std::vector<GridSizes> factorisationsOf(std::uint64_t count, std::size_t dims) {
  if (dims == 1) return {{count}};
  std::vector<GridSizes> all;
  for (std::uint64_t first = 1; first <= count; ++first) {
    if (count % first != 0) continue;
    for (const GridSizes& rest : factorisationsOf(count / first, dims - 1)) {
      all.push_back({first});
      all.back().insert(all.back().end(), rest.begin(), rest.end());
    }
  }
  return all;
}

/// A figure that grows with the surface of a block. Equal blocks that are turned have exactly equal
/// figures.
double surfaceOf(const GridSizes& points, const GridSizes& parts) {
  std::vector<double> sides;
  for (std::size_t d = 0; d < points.size(); ++d) {
    sides.push_back(static_cast<double>(points[d]) / static_cast<double>(parts[d]));
  }
  std::sort(sides.begin(), sides.end());
  const double volume = std::accumulate(sides.begin(), sides.end(), 1.0, std::multiplies<>());
  return std::accumulate(sides.begin(), sides.end(), 0.0,
                         [volume](double sum, double side) { return sum + volume / side; });
}

}  // namespace

std::uint64_t productOf(const GridSizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies<>());
}

StencilGrid::StencilGrid(GridCuts cuts, std::uint32_t tiles_per_ipu) : cuts_(std::move(cuts)) {
  std::uint32_t first = 0;
  for (const GridSizes& ipu : placesOf(cuts_.ipus)) {
    std::uint32_t tile = first;
    for (const GridSizes& place : placesOf(cuts_.tiles)) addBlock(ipu, place, TileId(tile++));
    first += tiles_per_ipu;
  }
}

/// The first point of a part, counted in parts of tiles.
std::uint64_t StencilGrid::boundary(std::size_t dim, std::uint64_t part) const {
  const std::uint64_t ipus = cuts_.ipus[dim];
  const std::uint64_t tiles = cuts_.tiles[dim];
  const std::uint64_t ipu = part / tiles;
  const std::uint64_t begin = cuts_.points[dim] * ipu / ipus;
  if (part % tiles == 0) return begin;
  const std::uint64_t end = cuts_.points[dim] * (ipu + 1) / ipus;
  return begin + (end - begin) * (part % tiles) / tiles;
}

void StencilGrid::addBlock(const GridSizes& ipu, const GridSizes& tile, TileId id) {
  GridBlock block{id, {}, {}, {}};
  for (std::size_t d = 0; d < ipu.size(); ++d) {
    const std::uint64_t part = ipu[d] * cuts_.tiles[d] + tile[d];
    block.place.push_back(part);
    block.begin.push_back(boundary(d, part));
    block.points.push_back(boundary(d, part + 1) - block.begin.back());
  }
  check(productOf(block.points) > 0, "a block without points");
  blocks_.push_back(std::move(block));
}

std::optional<std::size_t> StencilGrid::neighbour(const GridBlock& block,
                                                  const std::vector<std::int64_t>& offset) const {
  std::uint64_t ipu = 0;
  std::uint64_t tile = 0;
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const std::uint64_t parts = cuts_.ipus[d] * cuts_.tiles[d];
    // A place below 0 wraps round to one beyond the last.
    const std::uint64_t place = block.place[d] + static_cast<std::uint64_t>(offset[d]);
    if (place >= parts) return std::nullopt;
    ipu = ipu * cuts_.ipus[d] + place / cuts_.tiles[d];
    tile = tile * cuts_.tiles[d] + place % cuts_.tiles[d];
  }
  return ipu * productOf(cuts_.tiles) + tile;
}

GridSizes bestTileGrid(const GridSizes& points, std::uint64_t tiles, std::uint64_t radius) {
  for (; tiles > 1; --tiles) {
    GridSizes best;
    double smallest = std::numeric_limits<double>::infinity();
    for (GridSizes& parts : factorisationsOf(tiles, points.size())) {
      bool is_thick = true;
      for (std::size_t d = 0; d < parts.size(); ++d) {
        is_thick = is_thick && points[d] / parts[d] >= std::max<std::uint64_t>(radius, 1);
      }
      const double surface = surfaceOf(points, parts);
      if (!is_thick || surface > smallest) continue;
      smallest = surface;
      best = std::move(parts);
    }
    if (!best.empty()) return best;
  }
  return GridSizes(points.size(), 1);
}

GridSizes bestWorkerGrid(const GridSizes& points, std::uint64_t workers) {
  const auto most_points = [&points](const GridSizes& parts) {
    return std::inner_product(points.begin(), points.end(), parts.begin(), std::uint64_t{1},
                              std::multiplies<>(), ceilDiv<std::uint64_t>);
  };
  const std::vector<GridSizes> all = factorisationsOf(workers, points.size());
  return *std::min_element(all.begin(), all.end(), [&](const GridSizes& a, const GridSizes& b) {
    return most_points(a) < most_points(b);
  });
}

}  // namespace ipusim::workloads
