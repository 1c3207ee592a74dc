// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/ids.h"
#include "ipusim/machine.h"

// What the tiles hold of a matrix whose rows are reduced: columns as intervals, rows as counts.

namespace ipusim::workloads {

/// Equally many rows of columns [begin, end), all on one tile. In the tile's memory, each column
/// has `inner` elements next to each other. The columns follow each other. All of that is there
/// `outer` times.
struct HeldRows {
  TileId tile;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t inner = 1;
  std::uint64_t outer = 1;
  std::uint64_t stride = 0;  ///< elements from one of the `outer` repeats to the next

  [[nodiscard]] std::uint64_t rows() const { return inner * outer; }
  [[nodiscard]] std::uint64_t columns() const { return end - begin; }
};

/// Elements [begin, end) of a tensor of one dimension, or of the columns of a result. They are next
/// to each other on a tile.
struct TileInterval {
  TileId tile;
  std::uint64_t begin;
  std::uint64_t end;
};

/// What tiles hold of a matrix of `columns` columns, whose rows follow each other in a tensor of
/// one dimension.
std::vector<HeldRows> heldOfRows(std::uint64_t columns, const std::vector<TileInterval>& elements);

/// What tiles hold of a matrix of `rows` rows, whose columns follow each other in a tensor of one
/// dimension.
std::vector<HeldRows> heldOfColumns(std::uint64_t rows, const std::vector<TileInterval>& elements);

/// `elements` spread over consecutive tiles, modulo their number, in parts of at least `least`.
struct LinearSpread {
  std::uint64_t elements;
  std::uint64_t grain;
  std::uint64_t least;
  std::uint32_t first_tile = 0;
};
std::vector<TileInterval> spreadLinearly(const Interconnect& tiles, const LinearSpread& spread);

/// The published linear mapping of a tensor: grains of 8 bytes, at least 128 bytes on a tile, from
/// tile 0 on.
/// Source: graphcore/poplibs lib/poputil/TileMapping.cpp (MIT), mapTensorLinearly.
std::vector<TileInterval> mappedLinearly(const Architecture& machine, ElementType type,
                                         std::uint64_t elements);

}  // namespace ipusim::workloads
