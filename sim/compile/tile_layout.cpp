// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/tile_layout.h"

#include <algorithm>

#include "base/units.h"

namespace ipusim::compiler {

using models::Machine;
using workloads::FieldMemory;

namespace {

/// A load or store moves 8 bytes; 16 where the memory is interleaved.
constexpr std::uint64_t kAlignment = 8;
constexpr std::uint64_t kInterleavedAlignment = 16;

struct Span {
  std::uint64_t begin;
  std::uint64_t end;
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

class Layout {
 public:
  Layout(const Machine& machine, std::vector<Block>& blocks) : machine_(machine), blocks_(blocks) {}

  TileLayout run(const CategoryBytes& fixed, std::vector<BlockId> ids) {
    placeFixed(fixed);
    std::stable_sort(ids.begin(), ids.end(),
                     [this](BlockId a, BlockId b) { return goesBefore(blocks_[a], blocks_[b]); });
    for (const BlockId id : ids) place(id);
    const std::uint64_t capacity = machine_.sram_per_tile.value();
    if (result_.highest_address > capacity) {
      result_.bytes_over = std::max(result_.bytes_over, result_.highest_address - capacity);
    }
    return result_;
  }

 private:
  static bool goesBefore(const Block& a, const Block& b) {
    if (a.always_live != b.always_live) return a.always_live;
    if (a.memory != b.memory) return a.memory == FieldMemory::Interleaved;
    return a.bytes > b.bytes;
  }

  void placeFixed(const CategoryBytes& fixed) {
    std::uint64_t code = 0;
    std::uint64_t all = 0;
    std::uint64_t largest = 0;
    for (std::size_t c = 0; c < kCategories; ++c) {
      const auto category = static_cast<Category>(c);
      all += fixed[c];
      if (isCode(category)) code += fixed[c];
      if (isCode(category) && fixed[c] > largest) {
        largest = fixed[c];
        result_.over_category = category;
      }
    }
    const std::uint64_t region = machine_.code_region.value();
    if (code > region) result_.bytes_over = code - region;
    fixed_end_ = all;
    result_.highest_address = all;
  }

  /// Placed blocks that are live with `block`, as spans it must keep clear of, in order.
  [[nodiscard]] std::vector<Span> obstaclesOf(const Block& block) const {
    std::vector<Span> spans{{0, fixed_end_}};
    for (const BlockId id : placed_) {
      const Block& other = blocks_[id];
      if (!liveTogether(block, other)) continue;
      Span span{other.address, other.address + other.bytes};
      const bool apart = block.apart_from == id || other.apart_from == current_;
      if (apart) span = widened(span);
      spans.push_back(span);
    }
    std::sort(spans.begin(), spans.end(),
              [](const Span& a, const Span& b) { return a.begin < b.begin; });
    return spans;
  }

  /// To whole memory elements, so that what keeps clear of it shares none.
  [[nodiscard]] Span widened(Span span) const {
    return {elementFloor(span.begin), elementCeil(span.end)};
  }
  [[nodiscard]] std::uint64_t elementAt(std::uint64_t address) const {
    return address < machine_.code_region.value() ? machine_.memory_element.value()
                                                  : machine_.interleaved_element.value();
  }
  [[nodiscard]] std::uint64_t elementFloor(std::uint64_t address) const {
    const std::uint64_t base =
        address < machine_.code_region.value() ? 0 : machine_.code_region.value();
    return base + (address - base) / elementAt(address) * elementAt(address);
  }
  [[nodiscard]] std::uint64_t elementCeil(std::uint64_t address) const {
    const std::uint64_t base =
        address < machine_.code_region.value() ? 0 : machine_.code_region.value();
    return base + roundUp(address - base, elementAt(address));
  }

  void place(BlockId id) {
    current_ = id;
    Block& block = blocks_[id];
    const bool interleaved = block.memory == FieldMemory::Interleaved;
    const std::uint64_t alignment = interleaved ? kInterleavedAlignment : kAlignment;
    std::uint64_t address = interleaved ? machine_.code_region.value() : 0;
    for (const Span& span : obstaclesOf(block)) {
      if (span.begin >= address + block.bytes) break;
      if (span.end > address) address = roundUp(span.end, alignment);
    }
    block.address = roundUp(address, alignment);
    placed_.push_back(id);
    const std::uint64_t end = block.address + block.bytes;
    noteOverflow(block, end);
    result_.highest_address = std::max(result_.highest_address, end);
  }

  void noteOverflow(const Block& block, std::uint64_t end) {
    if (end <= machine_.sram_per_tile.value() || block.bytes <= largest_over_) return;
    largest_over_ = block.bytes;
    result_.over_category = block.category;
  }

  const Machine& machine_;
  std::vector<Block>& blocks_;
  std::vector<BlockId> placed_;
  std::uint64_t fixed_end_ = 0;
  std::uint64_t largest_over_ = 0;
  BlockId current_ = kNoBlock;
  TileLayout result_;
};

}  // namespace

TileLayout layOutTile(const Machine& machine, const CategoryBytes& fixed,
                      const std::vector<BlockId>& ids, std::vector<Block>& blocks) {
  return Layout(machine, blocks).run(fixed, ids);
}

}  // namespace ipusim::compiler
