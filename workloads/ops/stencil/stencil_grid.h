// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ipusim/ids.h"
#include "workloads/vertices/user/user_stencil.h"

namespace ipusim::workloads {

/// How a grid of points is cut into blocks: first among IPUs, then among the tiles of each.
struct GridCuts {
  GridSizes points;
  GridSizes ipus;   ///< parts of each dimension
  GridSizes tiles;  ///< parts of each dimension of an IPU's part
};

/// The points of a grid that one tile has.
struct GridBlock {
  TileId tile;
  GridSizes place;  ///< the block's number in each dimension of the grid of blocks
  GridSizes begin;  ///< its first point
  GridSizes points;
};

/// A grid of points, cut into blocks. IPUs, and the tiles of an IPU, have their parts in the order
/// of their numbers, the last dimension fastest.
class StencilGrid {
 public:
  /// Tile t of IPU i has the number i * tiles_per_ipu + t.
  StencilGrid(GridCuts cuts, std::uint32_t tiles_per_ipu);

  [[nodiscard]] const GridSizes& points() const { return cuts_.points; }
  [[nodiscard]] const std::vector<GridBlock>& blocks() const { return blocks_; }
  /// The number of the block that is `offset` blocks away in each dimension. None outside the grid.
  [[nodiscard]] std::optional<std::size_t> neighbour(const GridBlock& block,
                                                     const std::vector<std::int64_t>& offset) const;

 private:
  [[nodiscard]] std::uint64_t boundary(std::size_t dim, std::uint64_t part) const;
  void addBlock(const GridSizes& ipu, const GridSizes& tile, TileId id);

  GridCuts cuts_;
  std::vector<GridBlock> blocks_;
};

std::uint64_t productOf(const GridSizes& sizes);

/// The tiles in each dimension, `tiles` or fewer in all, whose blocks have the smallest surface. Of
/// equals, the first dimensions are cut most, so that consecutive points stay together. No block is
/// thinner than `radius` points. `points` are those of an IPU.
GridSizes bestTileGrid(const GridSizes& points, std::uint64_t tiles, std::uint64_t radius);

/// The workers in each dimension, `workers` in all, of which the busiest has fewest points.
GridSizes bestWorkerGrid(const GridSizes& points, std::uint64_t workers);

}  // namespace ipusim::workloads
