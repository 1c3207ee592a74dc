// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/tile_layout.h"

#include <algorithm>

#include "ipusim/units.h"

namespace ipusim::compiler {

namespace {

/// A load or store moves 8 bytes, or 16 where the memory is interleaved.
constexpr Bytes kAlignment(8);
constexpr Bytes kInterleavedAlignment(16);

/// Addresses [begin, end).
struct Span {
  Bytes begin;
  Bytes end;
};

bool liveTogether(const Block& a, const Block& b) {
  if (a.always_live || b.always_live) return true;
  auto of_b = b.live.begin();
  for (const LiveRange& of_a : a.live) {
    while (of_b != b.live.end() && of_b->last < of_a.first) ++of_b;
    if (of_b == b.live.end()) return false;
    if (of_b->first <= of_a.last) return true;
  }
  return false;
}

/// Blocks that have a place, found by when they live.
class PlacedBlocks {
 public:
  void add(BlockId id, const Block& block) {
    all_.push_back(id);
    if (!isShortLived(block)) {
      long_lived_.push_back(id);
      return;
    }
    for (const LiveRange& range : block.live) {
      if (range.last >= last_at_.size()) last_at_.resize(range.last + 1, kNone);
      for (std::uint32_t position = range.first; position <= range.last; ++position) {
        short_lived_.push_back({id, last_at_[position]});
        last_at_[position] = static_cast<std::uint32_t>(short_lived_.size() - 1);
      }
    }
  }

  /// Calls `visit` with all blocks that live together with `block`. Some blocks come more than
  /// once, and some blocks come that do not live together with `block`.
  template <typename Visit>
  void visitNear(const Block& block, const Visit& visit) const {
    if (!isShortLived(block)) {
      std::for_each(all_.begin(), all_.end(), visit);
      return;
    }
    std::for_each(long_lived_.begin(), long_lived_.end(), visit);
    for (const LiveRange& range : block.live) {
      const auto end = std::min<std::size_t>(range.last + std::size_t{1}, last_at_.size());
      for (std::size_t position = range.first; position < end; ++position) {
        for (std::uint32_t e = last_at_[position]; e != kNone; e = short_lived_[e].before) {
          visit(short_lived_[e].id);
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  /// A block that lives at more positions than this is not listed by position. Most blocks live at
  /// a few positions.
  static constexpr std::uint64_t kShortLife = 16;

  /// An entry of a list, and the place of the entry before it.
  struct Entry {
    BlockId id;
    std::uint32_t before;
  };

  static bool isShortLived(const Block& block) {
    std::uint64_t life = 0;
    for (const LiveRange& range : block.live) life += range.last - range.first + std::uint64_t{1};
    return !block.always_live && life <= kShortLife;
  }

  std::vector<BlockId> all_;
  std::vector<BlockId> long_lived_;
  std::vector<Entry> short_lived_;      // one list per position
  std::vector<std::uint32_t> last_at_;  // one entry per position: the last entry of its list
};

class Layout {
 public:
  Layout(const TileSram& sram, std::vector<Block>& blocks) : sram_(sram), blocks_(blocks) {}

  TileLayout run(const CategoryBytes& fixed, std::vector<BlockId> ids) {
    placeFixed(fixed);
    std::stable_sort(ids.begin(), ids.end(), [this](BlockId a, BlockId b) {
      return goesBefore(blocks_[indexOf(a)], blocks_[indexOf(b)]);
    });
    for (const BlockId id : ids) place(id);
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
    fixed_end_ = all;
    result_.highest_address = all;
  }

  /// Spans that `block` must keep clear of, in order: the fixed bytes, and the placed blocks that
  /// live together with `block`.
  [[nodiscard]] std::vector<Span> obstaclesOf(const Block& block) const {
    std::vector<Span> spans{{Bytes(0), fixed_end_}};
    placed_.visitNear(block, [&](BlockId id) {
      const Block& other = blocks_[indexOf(id)];
      if (!liveTogether(block, other)) return;
      Span span{other.address, other.address + other.bytes};
      const bool apart = block.apart_from == id || other.apart_from == current_;
      if (apart) span = widened(span);
      spans.push_back(span);
    });
    std::sort(spans.begin(), spans.end(),
              [](const Span& a, const Span& b) { return a.begin < b.begin; });
    return spans;
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

  void place(BlockId id) {
    current_ = id;
    Block& block = blocks_[indexOf(id)];
    const bool interleaved = block.memory == FieldMemory::Interleaved;
    const Bytes alignment = alignmentOf(block);
    Bytes address = interleaved ? sram_.code_region : Bytes(0);
    for (const Span& span : obstaclesOf(block)) {
      if (span.begin >= address + block.bytes) break;
      if (span.end > address) address = roundUp(span.end, alignment);
    }
    block.address = roundUp(address, alignment);
    placed_.add(id, block);
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
  PlacedBlocks placed_;
  Bytes fixed_end_;
  Bytes largest_over_;
  BlockId current_ = kNoBlock;
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
