// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "sim/compile/executable.h"
#include "sim/compile/layout/placed_blocks.h"
#include "sim/compile/lower/radix_sort.h"

namespace ipusim::compiler {

/// What came of placing one tile's blocks.
struct TileLayout {
  Bytes highest_address;  ///< one past the last byte used
  Bytes bytes_over;       ///< past the end of the memory, or of the code region
  MemoryCategory over_category =
      MemoryCategory::Variables;  ///< category of the largest thing that did not fit
};

/// What the address of a block is a multiple of.
Bytes alignmentOf(const Block& block);

/// Lays out one tile after the other. layOut() states the rules.
class TileLayouter {
 public:
  /// The arguments must outlive this.
  TileLayouter(const TileSram& sram, std::vector<Block>& blocks);

  /// Sets the address of each block of `ids`, which all lie on one tile, in ascending order.
  /// `least` is what lives at once, at the most. Where that has room and a block finds none, such
  /// blocks go before others of their lifetime in another round, up to a few times; the lowest of
  /// these layouts counts.
  TileLayout run(const CategoryBytes& fixed, const std::vector<BlockId>& ids, Bytes least);

 private:
  /// Two blocks that must share no memory element.
  struct Pair {
    BlockId one;
    BlockId other;
    bool is_placed = false;  ///< the other one has its address

    friend bool operator<(const Pair& a, const Pair& b) {
      return std::pair(a.one, a.other) < std::pair(b.one, b.other);
    }
  };

  TileLayout placeAll(const CategoryBytes& fixed, const std::vector<BlockId>& ids);
  bool putFirstWhatIsOver(const std::vector<BlockId>& ids);
  [[nodiscard]] bool goesFirst(BlockId id) const;
  void placeFixed(const CategoryBytes& fixed);
  void sort(const std::vector<BlockId>& ids);
  void findPairs(const std::vector<BlockId>& ids);
  [[nodiscard]] std::vector<Span> apartFrom(BlockId id) const;
  void notePlaced(BlockId id);
  [[nodiscard]] std::vector<Pair>::const_iterator pairsOf(BlockId id) const;
  void place(BlockId id);
  void noteOverflow(const Block& block, Bytes end);

  const TileSram& sram_;
  std::vector<Block>& blocks_;
  // What the tile has. The lists keep their memory for the next one.
  PlacedBlocks placed_;
  std::vector<Keyed> order_;
  std::vector<BlockId> first_;  ///< go before others of their lifetime; ascending
  std::vector<Pair> pairs_;
  Bytes largest_over_;
  TileLayout result_;
};

}  // namespace ipusim::compiler
