// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/stencil/reference.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace ipusim::workloads {

namespace {

/// The index of a point in a grid of `sizes`, counted in numbers.
std::size_t indexOf(const GridSizes& at, const GridSizes& sizes, std::uint64_t values) {
  std::size_t index = 0;
  for (std::size_t d = 0; d < at.size(); ++d) index = index * sizes[d] + at[d];
  return index * values;
}

/// Steps to the next point of a grid of `sizes`, the last dimension fastest.
void advance(GridSizes& at, const GridSizes& sizes) {
  for (std::size_t d = at.size(); d-- > 0;) {
    if (++at[d] < sizes[d]) return;
    at[d] = 0;
  }
}

/// Who has a point of a block with its halo.
enum class Owner : std::uint8_t {
  Block,   ///< the block itself
  Border,  ///< the block too, but the point is outside the grid: a boundary value
  Other,   ///< another block
};

/// The owner of a point at `from` in a block with its halo.
Owner ownerOf(const BlockGrid& grid, const GridBlock& block, const GridSizes& from,
              std::uint64_t radius) {
  Owner owner = Owner::Block;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (from[d] >= radius && from[d] < radius + block.points[d]) continue;
    const std::uint64_t where = block.begin[d] + from[d];
    if (where >= radius && where < radius + grid.points()[d]) return Owner::Other;
    owner = Owner::Border;
  }
  return owner;
}

/// Calls `visit(where, owner)` for every point of every block with its halo, in the order of the
/// blocks: `where` is the point in the grid with its border.
template <typename Visit>
void forEachPoint(const BlockGrid& grid, std::uint64_t radius, const Visit& visit) {
  for (const GridBlock& block : grid.blocks()) {
    const GridSizes sizes = paddedSizes(block.points, radius);
    GridSizes from(sizes.size(), 0);
    for (std::uint64_t n = productOf(sizes); n > 0; --n, advance(from, sizes)) {
      GridSizes where = block.begin;
      for (std::size_t d = 0; d < where.size(); ++d) where[d] += from[d];
      visit(where, ownerOf(grid, block, from, radius));
    }
  }
}

/// One grid with its border, from its blocks.
TensorValues joined(const BlockGrid& grid, const Stencil& stencil, const TensorValues& blocks) {
  const GridSizes sizes = paddedSizes(grid.points(), stencil.radius);
  TensorValues whole(productOf(sizes) * stencil.values);
  std::size_t next = 0;
  forEachPoint(grid, stencil.radius, [&](const GridSizes& where, Owner owner) {
    const std::size_t to = indexOf(where, sizes, stencil.values);
    for (std::size_t v = 0; v < stencil.values; ++v, ++next) {
      if (owner != Owner::Other) whole[to + v] = blocks[next];
    }
  });
  return whole;
}

/// The points of a grid with its border, block by block.
TensorValues cutIntoBlocks(const BlockGrid& grid, const Stencil& stencil,
                           const TensorValues& whole) {
  const GridSizes sizes = paddedSizes(grid.points(), stencil.radius);
  TensorValues inner;
  forEachPoint(grid, stencil.radius, [&](const GridSizes& where, Owner owner) {
    if (owner != Owner::Block) return;
    const std::size_t from = indexOf(where, sizes, stencil.values);
    for (std::size_t v = 0; v < stencil.values; ++v) inner.push_back(whole[from + v]);
  });
  return inner;
}

void step(const GridSizes& points, const Stencil& stencil, const TensorValues& from,
          TensorValues& to) {
  const GridSizes sizes = paddedSizes(points, stencil.radius);
  const std::vector<StencilTerm> terms = termsOf(stencil, points.size());
  GridSizes at(points.size(), 0);
  for (std::uint64_t n = productOf(points); n > 0; --n, advance(at, points)) {
    GridSizes center = at;
    for (std::uint64_t& place : center) place += stencil.radius;
    const std::size_t written = indexOf(center, sizes, stencil.values);
    for (std::size_t v = 0; v < stencil.values; ++v) to[written + v] = 0;
    for (const auto& [offset, weight] : terms) {
      GridSizes read = center;
      for (std::size_t d = 0; d < read.size(); ++d)
        read[d] += static_cast<std::uint64_t>(offset[d]);
      const std::size_t first = indexOf(read, sizes, stencil.values);
      for (std::size_t v = 0; v < stencil.values; ++v) to[written + v] += weight * from[first + v];
    }
  }
}

}  // namespace

TensorValues stencilSteps(const BlockGrid& grid, const Stencil& stencil, std::uint64_t steps,
                          const TensorValues& first, const TensorValues& second) {
  std::array<TensorValues, 2> grids{joined(grid, stencil, first), joined(grid, stencil, second)};
  for (std::uint64_t s = 0; s < steps; ++s) {
    step(grid.points(), stencil, grids[s % 2], grids[(s + 1) % 2]);
  }
  return cutIntoBlocks(grid, stencil, grids[steps % 2]);
}

}  // namespace ipusim::workloads
