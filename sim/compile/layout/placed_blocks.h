// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Addresses [begin, end).
struct Span {
  Bytes begin;
  Bytes end;
};

/// Whether there is a time at which both blocks live.
bool liveTogether(const Block& a, const Block& b);

/// Which addresses a block may have.
struct AddressRule {
  Bytes lowest;
  Bytes alignment;
};

/// The blocks of one tile that have an address. Tells where there is room for another block.
class PlacedBlocks {
 public:
  /// `blocks` must outlive this. Addresses of blocks are multiples of `alignment`. Bytes below
  /// `fixed_end` are taken.
  PlacedBlocks(const std::vector<Block>& blocks, Bytes alignment, Bytes fixed_end);

  /// Forgets all blocks, and keeps the memory that they took for those of another tile.
  void clear(Bytes fixed_end);

  /// Adds a block that has its address. Always-live blocks must be added before the others.
  void add(BlockId id);

  /// The lowest address that `rule` allows where `block` meets neither `apart` nor a placed block
  /// that lives at the same time.
  [[nodiscard]] Bytes roomFor(const Block& block, const AddressRule& rule,
                              const std::vector<Span>& apart);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// An address range of a block, and from when to when the block lives. There may be times between
  /// at which it does not live.
  struct Place {
    Span span;
    LiveRange life;
    BlockId id;
  };

  /// Places by their first address. The last few are not sorted in yet.
  class Places {
   public:
    void add(const Place& place);
    void clear();
    [[nodiscard]] const std::vector<Place>& sorted() const { return sorted_; }
    [[nodiscard]] const std::vector<Place>& recent() const { return recent_; }

   private:
    std::vector<Place> sorted_;
    std::vector<Place> recent_;
  };

  /// An entry of a list, and the place of the entry before it.
  struct Entry {
    BlockId id;
    std::uint32_t first;  ///< the first position of the range that the entry is of
    std::uint32_t before;
  };

  /// The room that is looked for.
  struct Search;

  /// What was looked for last, and whether a block has the room since.
  struct Last {
    const Block* block = nullptr;
    AddressRule rule;
    bool is_placed = false;
  };

  [[nodiscard]] bool continuesLast(const Block& block, const AddressRule& rule,
                                   const std::vector<Span>& apart) const;
  [[nodiscard]] Bytes roomAfterLast(const Block& block, const AddressRule& rule);
  [[nodiscard]] Bytes roomFrom(Search search, const std::vector<Place>& places, Bytes first,
                               const Block& block);
  void take(Span span);
  void findNear(const Block& block, const std::vector<Place>& recent);
  [[nodiscard]] bool livesWith(const Place& place, const Block& block) const;

  const std::vector<Block>& blocks_;
  Bytes alignment_;
  std::vector<Span> taken_;  ///< fixed bytes and always-live blocks, in order; no two touch
  Places all_;               ///< of blocks that do not live always
  Places long_lived_;
  std::vector<Entry> short_lived_;      ///< one list per position
  std::vector<std::uint32_t> last_at_;  ///< one entry per position: the last entry of its list
  std::vector<Place> near_;             ///< of a search: places beside the sorted ones, in order
  Last last_;                           ///< none where that room had a rule beside its own
};

}  // namespace ipusim::compiler
