// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/ops/reduce/planner/held_rows.h"

namespace ipusim::workloads {

/// Which tiles hold a partial of each column of a reduction. A tile has one partial of a column,
/// so that a tile and a column name a partial. Columns are kept as regions: memory and time grow
/// with the intervals that tiles hold, and not with columns, rows or partials.
class PartialColumns {
 public:
  /// Columns [begin, end), whose partials are on the same tiles. No two neighbours have the same.
  struct Region {
    std::uint64_t begin;
    std::uint64_t end;
    std::size_t tiles;    ///< number of the set of tiles
    std::uint64_t depth;  ///< how many tiles: partials of each column
  };

  PartialColumns() = default;
  /// `held` may be in any order. A tile makes one partial of all rows that it holds of a column.
  /// Every column from 0 to the last one must be held.
  explicit PartialColumns(const std::vector<HeldRows>& held);

  [[nodiscard]] const std::vector<Region>& regions() const { return regions_; }
  [[nodiscard]] std::uint64_t columns() const { return regions_.empty() ? 0 : regions_.back().end; }
  /// The tiles of a region, ascending. Partial i of its columns is on tile i of these.
  [[nodiscard]] std::vector<TileId> tilesOf(const Region& region) const;
  [[nodiscard]] std::uint64_t partials() const;    ///< of all columns
  [[nodiscard]] std::uint64_t mostTiles() const;   ///< partials of the column that has most
  [[nodiscard]] std::uint64_t tilesInUse() const;  ///< tiles that hold any partial
  /// The most rows that a tile holds of a column.
  [[nodiscard]] std::uint64_t mostRowsOfTile() const { return most_rows_; }
  /// The first region that ends after `column`.
  [[nodiscard]] std::vector<Region>::const_iterator regionOf(std::uint64_t column) const;

 private:
  friend class RegionSweep;
  using TileSet = std::vector<std::uint64_t>;  // one bit per tile
  std::vector<Region> regions_;
  std::vector<TileSet> sets_;
  std::uint64_t most_rows_ = 0;
};

/// Columns [begin, end), all with `depth` partials.
struct DepthBand {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t depth;
};

/// The bands of columns [begin, end), as few as possible, in order.
std::vector<DepthBand> depthBands(const PartialColumns& partials, std::uint64_t begin,
                                  std::uint64_t end);

}  // namespace ipusim::workloads
