// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/stencil/reference.h"

#include <array>
#include <cstddef>
#include <vector>

namespace ipusim::workloads {

namespace {

using Offset = std::vector<std::int64_t>;

std::size_t indexOf(const GridSizes& at, const GridSizes& sizes) {
  std::size_t index = 0;
  for (std::size_t d = 0; d < at.size(); ++d) index = index * sizes[d] + at[d];
  return index;
}

/// Steps to the next point of a grid of `sizes`, the last dimension fastest.
void advance(GridSizes& at, const GridSizes& sizes) {
  for (std::size_t d = at.size(); d-- > 0;) {
    if (++at[d] < sizes[d]) return;
    at[d] = 0;
  }
}

/// A place may wrap round below 0. It is then beyond every size.
GridSizes moved(const GridSizes& at, const Offset& offset) {
  GridSizes place = at;
  for (std::size_t d = 0; d < at.size(); ++d) place[d] += static_cast<std::uint64_t>(offset[d]);
  return place;
}

bool isInside(const GridSizes& at, const GridSizes& sizes) {
  for (std::size_t d = 0; d < at.size(); ++d) {
    if (at[d] >= sizes[d]) return false;
  }
  return true;
}

/// A point of a block, as a place in the grid and in the block with its halo.
struct BlockPoint {
  GridSizes in_grid;
  GridSizes in_block;
  GridSizes block_sizes;    ///< with the halo
  std::size_t block_begin;  ///< points of all blocks before, with their halos
};

template <typename Visit>
void forEachPoint(const StencilGrid& grid, std::uint64_t radius, const Visit& visit) {
  std::size_t begin = 0;
  for (const GridBlock& block : grid.blocks()) {
    BlockPoint point{{}, {}, paddedSizes(block.points, radius), begin};
    GridSizes at(block.points.size(), 0);
    for (std::uint64_t n = productOf(block.points); n > 0; --n, advance(at, block.points)) {
      point.in_grid = block.begin;
      point.in_block = at;
      for (std::size_t d = 0; d < at.size(); ++d) {
        point.in_grid[d] += at[d];
        point.in_block[d] += radius;
      }
      visit(point);
    }
    begin += productOf(point.block_sizes);
  }
}

/// A grid while the steps go on.
struct ReferenceGrid {
  TensorValues points;         ///< of the whole grid, without a border
  const TensorValues& blocks;  ///< as the host wrote them: their halos have the boundary values
};

ReferenceGrid joined(const StencilGrid& grid, const Stencil& stencil, const TensorValues& blocks) {
  const std::uint64_t values = stencil.values;
  ReferenceGrid joined{TensorValues(productOf(grid.points()) * values), blocks};
  forEachPoint(grid, stencil.radius, [&](const BlockPoint& point) {
    const std::size_t to = indexOf(point.in_grid, grid.points()) * values;
    const std::size_t from =
        (point.block_begin + indexOf(point.in_block, point.block_sizes)) * values;
    for (std::size_t v = 0; v < values; ++v) joined.points[to + v] = blocks[from + v];
  });
  return joined;
}

/// The first number of the point at `offset` from `point`: of the grid, or a boundary value that
/// the block of `point` has.
const double* neighbourOf(const StencilGrid& grid, const Stencil& stencil,
                          const ReferenceGrid& data, const BlockPoint& point,
                          const Offset& offset) {
  const GridSizes place = moved(point.in_grid, offset);
  if (isInside(place, grid.points())) {
    return &data.points[indexOf(place, grid.points()) * stencil.values];
  }
  const std::size_t in_block = indexOf(moved(point.in_block, offset), point.block_sizes);
  return &data.blocks[(point.block_begin + in_block) * stencil.values];
}

void step(const StencilGrid& grid, const Stencil& stencil, const ReferenceGrid& from,
          ReferenceGrid& to) {
  const std::vector<StencilTerm> terms = termsOf(stencil, grid.points().size());
  forEachPoint(grid, stencil.radius, [&](const BlockPoint& point) {
    double* sum = &to.points[indexOf(point.in_grid, grid.points()) * stencil.values];
    for (std::size_t v = 0; v < stencil.values; ++v) sum[v] = 0;
    for (const auto& [offset, weight] : terms) {
      const double* read = neighbourOf(grid, stencil, from, point, offset);
      for (std::size_t v = 0; v < stencil.values; ++v) sum[v] += weight * read[v];
    }
  });
}

/// The points of a grid, block by block.
TensorValues cutIntoBlocks(const StencilGrid& grid, const Stencil& stencil,
                           const ReferenceGrid& data) {
  TensorValues cut;
  forEachPoint(grid, stencil.radius, [&](const BlockPoint& point) {
    const double* from = &data.points[indexOf(point.in_grid, grid.points()) * stencil.values];
    cut.insert(cut.end(), from, from + stencil.values);
  });
  return cut;
}

}  // namespace

TensorValues stencilSteps(const StencilGrid& grid, const Stencil& stencil, std::uint64_t steps,
                          const TensorValues& first, const TensorValues& second) {
  std::array<ReferenceGrid, 2> grids{joined(grid, stencil, first), joined(grid, stencil, second)};
  for (std::uint64_t s = 0; s < steps; ++s) {
    step(grid, stencil, grids[s % 2], grids[(s + 1) % 2]);
  }
  return cutIntoBlocks(grid, stencil, grids[steps % 2]);
}

}  // namespace ipusim::workloads
