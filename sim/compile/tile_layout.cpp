// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/tile_layout.h"

#include <algorithm>
#include <utility>

#include "ipusim/units.h"
#include "sim/compile/placed_blocks.h"

namespace ipusim::compiler {

namespace {

/// A load or store moves 8 bytes, or 16 where the memory is interleaved.
constexpr Bytes kAlignment(8);
constexpr Bytes kInterleavedAlignment(16);

class Layout {
 public:
  Layout(const TileSram& sram, std::vector<Block>& blocks) : sram_(sram), blocks_(blocks) {}

  TileLayout run(const CategoryBytes& fixed, std::vector<BlockId> ids) {
    placeFixed(fixed);
    std::stable_sort(ids.begin(), ids.end(), [this](BlockId a, BlockId b) {
      return goesBefore(blocks_[indexOf(a)], blocks_[indexOf(b)]);
    });
    findPairs(ids);
    PlacedBlocks placed(blocks_, kAlignment, result_.highest_address);
    for (const BlockId id : ids) place(id, placed);
    const Bytes past_end = excess(result_.highest_address, sram_.sram_per_tile);
    result_.bytes_over = std::max(result_.bytes_over, past_end);
    return result_;
  }

 private:
  static bool goesBefore(const Block& a, const Block& b) {
    if (a.always_live != b.always_live) return a.always_live;
    if (a.memory != b.memory) return a.memory == FieldMemory::Interleaved;
    return a.bytes > b.bytes;
  }

  void placeFixed(const CategoryBytes& fixed) {
    Bytes code;
    Bytes all;
    Bytes largest;
    for (std::size_t c = 0; c < fixed.size(); ++c) {
      const auto category = static_cast<MemoryCategory>(c);
      all += fixed[c];
      if (isCode(category)) code += fixed[c];
      if (isCode(category) && fixed[c] > largest) {
        largest = fixed[c];
        result_.over_category = category;
      }
    }
    result_.bytes_over = excess(code, sram_.code_region);
    result_.highest_address = all;
  }

  /// Two blocks that must share no memory element.
  struct Pair {
    BlockId one;
    BlockId other;
    bool is_placed = false;  ///< the other one has its address

    friend bool operator<(const Pair& a, const Pair& b) {
      return std::pair(a.one, a.other) < std::pair(b.one, b.other);
    }
  };

  /// Lists each pair from both its ends.
  void findPairs(const std::vector<BlockId>& ids) {
    for (const BlockId id : ids) {
      const BlockId other = blocks_[indexOf(id)].apart_from;
      if (other == kNoBlock) continue;
      pairs_.push_back({id, other});
      pairs_.push_back({other, id});
    }
    std::sort(pairs_.begin(), pairs_.end());
  }

  /// The spans of the placed blocks that live together with block `id` and must share no memory
  /// element with it.
  [[nodiscard]] std::vector<Span> apartFrom(BlockId id) const {
    std::vector<Span> spans;
    for (auto pair = pairsOf(id); pair != pairs_.end() && pair->one == id; ++pair) {
      const Block& other = blocks_[indexOf(pair->other)];
      if (!pair->is_placed || !liveTogether(blocks_[indexOf(id)], other)) continue;
      spans.push_back(widened({other.address, other.address + other.bytes}));
    }
    return spans;
  }

  void notePlaced(BlockId id) {
    for (auto pair = pairsOf(id); pair != pairs_.end() && pair->one == id; ++pair) {
      const Pair back{pair->other, id};
      const auto [first, last] = std::equal_range(pairs_.begin(), pairs_.end(), back);
      std::for_each(first, last, [](Pair& found) { found.is_placed = true; });
    }
  }

  [[nodiscard]] std::vector<Pair>::const_iterator pairsOf(BlockId id) const {
    return std::lower_bound(pairs_.begin(), pairs_.end(), Pair{id, BlockId{0}});
  }

  /// Widens the span to whole memory elements. A block that keeps clear of the wider span shares no
  /// element with it.
  [[nodiscard]] Span widened(Span span) const {
    return {elementFloor(span.begin), elementCeil(span.end)};
  }
  /// The region that an address is in: where the region begins, and how large its memory elements
  /// are.
  struct Region {
    Bytes begin;
    Bytes element;
  };
  [[nodiscard]] Region regionOf(Bytes address) const {
    if (address < sram_.code_region) return {Bytes(0), sram_.memory_element};
    return {sram_.code_region, sram_.interleaved_element};
  }
  [[nodiscard]] Bytes elementFloor(Bytes address) const {
    const Region region = regionOf(address);
    return region.begin + roundDown(excess(address, region.begin), region.element);
  }
  [[nodiscard]] Bytes elementCeil(Bytes address) const {
    const Region region = regionOf(address);
    return region.begin + roundUp(excess(address, region.begin), region.element);
  }

  void place(BlockId id, PlacedBlocks& placed) {
    Block& block = blocks_[indexOf(id)];
    const bool interleaved = block.memory == FieldMemory::Interleaved;
    const Bytes lowest = interleaved ? sram_.code_region : Bytes(0);
    block.address = placed.roomFor(block, {lowest, alignmentOf(block)}, apartFrom(id));
    placed.add(id);
    notePlaced(id);
    const Bytes end = block.address + block.bytes;
    noteOverflow(block, end);
    result_.highest_address = std::max(result_.highest_address, end);
  }

  void noteOverflow(const Block& block, Bytes end) {
    if (end <= sram_.sram_per_tile || block.bytes <= largest_over_) return;
    largest_over_ = block.bytes;
    result_.over_category = block.category;
  }

  const TileSram& sram_;
  std::vector<Block>& blocks_;
  std::vector<Pair> pairs_;
  Bytes largest_over_;
  TileLayout result_;
};

}  // namespace

Bytes alignmentOf(const Block& block) {
  return block.memory == FieldMemory::Interleaved ? kInterleavedAlignment : kAlignment;
}

TileLayout layOutTile(const TileSram& sram, const CategoryBytes& fixed,
                      const std::vector<BlockId>& ids, std::vector<Block>& blocks) {
  return Layout(sram, blocks).run(fixed, ids);
}

}  // namespace ipusim::compiler
