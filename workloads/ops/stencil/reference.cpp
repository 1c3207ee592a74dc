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

/// Calls `visit(where, from)` for every point of every block with its halo, in the order of the
/// blocks: `where` is the point in the grid with its border, `from` its place in its block.
template <typename Visit>
void forEachPoint(const BlockGrid& grid, std::uint64_t radius, const Visit& visit) {
  for (const GridBlock& block : grid.blocks()) {
    const GridSizes sizes = paddedSizes(block.points, radius);
    GridSizes from(sizes.size(), 0);
    for (std::uint64_t n = productOf(sizes); n > 0; --n) {
      GridSizes where = block.begin;
      bool is_inner = true;
      for (std::size_t d = 0; d < where.size(); ++d) {
        where[d] += from[d];
        is_inner = is_inner && from[d] >= radius && from[d] < radius + block.points[d];
      }
      visit(where, is_inner);
      advance(from, sizes);
    }
  }
}

/// One grid with its border, from its blocks. A halo between blocks holds nothing of its own.
TensorValues joined(const BlockGrid& grid, const Stencil& stencil, const TensorValues& blocks) {
  const GridSizes sizes = paddedSizes(grid.points(), stencil.radius);
  TensorValues whole(productOf(sizes) * stencil.values);
  const auto is_border = [&](const GridSizes& where) {
    for (std::size_t d = 0; d < where.size(); ++d) {
      if (where[d] < stencil.radius || where[d] >= sizes[d] - stencil.radius) return true;
    }
    return false;
  };
  std::size_t next = 0;
  forEachPoint(grid, stencil.radius, [&](const GridSizes& where, bool is_inner) {
    const std::size_t to = indexOf(where, sizes, stencil.values);
    for (std::size_t v = 0; v < stencil.values; ++v, ++next) {
      if (is_inner || is_border(where)) whole[to + v] = blocks[next];
    }
  });
  return whole;
}

/// The points of a grid with its border, block by block.
TensorValues cutIntoBlocks(const BlockGrid& grid, const Stencil& stencil,
                           const TensorValues& whole) {
  const GridSizes sizes = paddedSizes(grid.points(), stencil.radius);
  TensorValues inner;
  forEachPoint(grid, stencil.radius, [&](const GridSizes& where, bool is_inner) {
    const std::size_t from = indexOf(where, sizes, stencil.values);
    for (std::size_t v = 0; is_inner && v < stencil.values; ++v) inner.push_back(whole[from + v]);
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
