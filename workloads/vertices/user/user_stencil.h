// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/config/words.h"
#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// One number per dimension of a grid, the slowest dimension first.
using GridSizes = std::vector<std::uint64_t>;

/// Which points around a point a stencil reads.
enum class StencilShape : std::uint8_t {
  Star,  ///< those along the axes: 5 points in two dimensions and 7 in three, at radius 1
  Box,   ///< all of the box: 9 points in two dimensions and 27 in three, at radius 1
};

constexpr Words<StencilShape, 2> kStencilWords{
    {{StencilShape::Star, "star"}, {StencilShape::Box, "box"}}};

/// What a stencil computes at every point: the weighted mean of the points within its radius.
struct Stencil {
  StencilShape shape;
  std::uint64_t radius;
  std::uint64_t values;  ///< numbers at each point; each depends on its own kind only
  ElementType type;
  std::uint64_t flops_per_point;
  /// Cycles of a tile for each point of its block, as measured. 0: those of compiled C++.
  double cycles_per_point;
};

/// A point that a stencil reads.
struct StencilTerm {
  std::vector<std::int64_t> offset;  ///< from the point that is computed, one per dimension
  float weight;
};

/// The terms of a stencil, by increasing offset. The weights add up to 1. All differ, so that a
/// wrong neighbour gives a wrong number.
std::vector<StencilTerm> termsOf(const Stencil& stencil, std::size_t dims);

/// A block of points, and how the workers of a tile share it.
struct StencilBlock {
  GridSizes points;   ///< of the block, without its halo
  GridSizes workers;  ///< parts of each dimension, one part per worker
};

/// Sizes of a block with a halo of `radius` points on all sides.
GridSizes paddedSizes(const GridSizes& points, std::uint64_t radius);

/// One step of a stencil on the block of a tile, as a user's C++ on all workers. The worker with
/// most points decides how long it takes.
///
/// Fields, one edge of a block with its halo in each: 0 "in"; 1 "out", whose halo stays.
VertexType userStencilVertex(const Stencil& stencil, const StencilBlock& block);

}  // namespace ipusim::workloads
