// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/tile_layout.h"

#include <algorithm>

#include "ipusim/units.h"

namespace ipusim::compiler {

namespace {

/// A load or store moves 8 bytes, or 16 where the memory is interleaved.
constexpr Bytes kAlignment(8);
constexpr Bytes kInterleavedAlignment(16);

/// How often the blocks of a tile are placed at the most. What takes more rounds than this was not
/// seen to end well.
constexpr int kMostRounds = 6;

/// The key that blocks are sorted by before they are placed: always-live blocks, which PlacedBlocks
/// wants before the others, then those that go first, then interleaved ones, then the largest.
std::uint64_t keyOf(const Block& block, bool goes_first) {
  constexpr unsigned kNotAlways = 63;
  constexpr unsigned kNotFirst = 62;
  constexpr unsigned kNotInterleaved = 61;
  constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << kNotInterleaved) - 1;
  const std::uint64_t not_first = goes_first ? 0 : 1;
  const std::uint64_t not_always = block.always_live ? 0 : 1;
  const std::uint64_t not_interleaved = block.memory == FieldMemory::Interleaved ? 0 : 1;
  const std::uint64_t rank =
      not_always << kNotAlways | not_first << kNotFirst | not_interleaved << kNotInterleaved;
  return rank | (kMostBytes - block.bytes.value());
}

/// The region that an address is in: where the region begins, and how large its memory elements
/// are.
struct Region {
  Bytes begin;
  Bytes element;
};

Region regionOf(const TileSram& sram, Bytes address) {
  if (address < sram.code_region) return {Bytes(0), sram.memory_element};
  return {sram.code_region, sram.interleaved_element};
}

Bytes elementFloor(const TileSram& sram, Bytes address) {
  const Region region = regionOf(sram, address);
  return region.begin + roundDown(excess(address, region.begin), region.element);
}

Bytes elementCeil(const TileSram& sram, Bytes address) {
  const Region region = regionOf(sram, address);
  return region.begin + roundUp(excess(address, region.begin), region.element);
}

/// Widens the span to whole memory elements. A block that keeps clear of the wider span shares no
/// element with it.
Span widened(const TileSram& sram, Span span) {
  return {elementFloor(sram, span.begin), elementCeil(sram, span.end)};
}

}  // namespace

Bytes alignmentOf(const Block& block) {
  return block.memory == FieldMemory::Interleaved ? kInterleavedAlignment : kAlignment;
}

TileLayouter::TileLayouter(const TileSram& sram, std::vector<Block>& blocks)
    : sram_(sram), blocks_(blocks), placed_(blocks, kAlignment, Bytes(0)) {}

TileLayout TileLayouter::run(const CategoryBytes& fixed, const std::vector<BlockId>& ids,
                             Bytes least) {
  first_.clear();
  TileLayout last = placeAll(fixed, ids);
  if (least > sram_.sram_per_tile) return last;
  TileLayout best = last;
  std::vector<BlockId> first_of_best;
  for (int round = 1; round < kMostRounds && last.highest_address > sram_.sram_per_tile; ++round) {
    if (!putFirstWhatIsOver(ids)) break;
    last = placeAll(fixed, ids);
    if (last.highest_address >= best.highest_address) continue;
    best = last;
    first_of_best = first_;
  }
  if (first_ == first_of_best) return last;
  first_ = std::move(first_of_best);
  return placeAll(fixed, ids);
}

bool TileLayouter::goesFirst(BlockId id) const {
  return std::binary_search(first_.begin(), first_.end(), id);
}

/// Adds the blocks past the end of the memory to those that go first. False where all do already.
bool TileLayouter::putFirstWhatIsOver(const std::vector<BlockId>& ids) {
  std::vector<BlockId> over;
  for (const BlockId id : ids) {
    const Block& block = blocks_[indexOf(id)];
    const bool is_over = block.address + block.bytes > sram_.sram_per_tile;
    if (is_over && !goesFirst(id)) over.push_back(id);
  }
  first_.insert(first_.end(), over.begin(), over.end());
  std::sort(first_.begin(), first_.end());
  return !over.empty();
}

TileLayout TileLayouter::placeAll(const CategoryBytes& fixed, const std::vector<BlockId>& ids) {
  result_ = {};
  largest_over_ = Bytes(0);
  placeFixed(fixed);
  const TileLayout of_code = result_;
  sort(ids);
  findPairs(ids);
  placed_.clear(result_.highest_address);
  for (const Keyed& entry : order_) place(BlockId{entry.number});
  const Bytes past_end = excess(result_.highest_address, sram_.sram_per_tile);
  result_.bytes_over = std::max(of_code.bytes_over, past_end);
  if (of_code.bytes_over > past_end) result_.over_category = of_code.over_category;
  return result_;
}

void TileLayouter::placeFixed(const CategoryBytes& fixed) {
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

/// Blocks with equal keys stay in the order of their numbers.
void TileLayouter::sort(const std::vector<BlockId>& ids) {
  order_.clear();
  for (const BlockId id : ids) {
    order_.push_back({keyOf(blocks_[indexOf(id)], goesFirst(id)), static_cast<std::uint32_t>(id)});
  }
  radixSort(order_);
}

/// Lists each pair from both its ends.
void TileLayouter::findPairs(const std::vector<BlockId>& ids) {
  pairs_.clear();
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
std::vector<Span> TileLayouter::apartFrom(BlockId id) const {
  std::vector<Span> spans;
  for (auto pair = pairsOf(id); pair != pairs_.end() && pair->one == id; ++pair) {
    const Block& other = blocks_[indexOf(pair->other)];
    if (!pair->is_placed || !liveTogether(blocks_[indexOf(id)], other)) continue;
    spans.push_back(widened(sram_, {other.address, other.address + other.bytes}));
  }
  return spans;
}

void TileLayouter::notePlaced(BlockId id) {
  for (auto pair = pairsOf(id); pair != pairs_.end() && pair->one == id; ++pair) {
    const Pair back{pair->other, id};
    const auto [first, last] = std::equal_range(pairs_.begin(), pairs_.end(), back);
    std::for_each(first, last, [](Pair& found) { found.is_placed = true; });
  }
}

std::vector<TileLayouter::Pair>::const_iterator TileLayouter::pairsOf(BlockId id) const {
  return std::lower_bound(pairs_.begin(), pairs_.end(), Pair{id, BlockId{0}});
}

void TileLayouter::place(BlockId id) {
  Block& block = blocks_[indexOf(id)];
  const bool interleaved = block.memory == FieldMemory::Interleaved;
  const Bytes lowest = interleaved ? sram_.code_region : Bytes(0);
  block.address = placed_.roomFor(block, {lowest, alignmentOf(block)}, apartFrom(id));
  placed_.add(id);
  notePlaced(id);
  const Bytes end = block.address + block.bytes;
  noteOverflow(block, end);
  result_.highest_address = std::max(result_.highest_address, end);
}

void TileLayouter::noteOverflow(const Block& block, Bytes end) {
  if (end <= sram_.sram_per_tile || block.bytes <= largest_over_) return;
  largest_over_ = block.bytes;
  result_.over_category = block.category;
}

}  // namespace ipusim::compiler
