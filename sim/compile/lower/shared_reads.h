// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/lower/hash_index.h"
#include "sim/compile/lower/repeats.h"
#include "sim/compile/lower/transfer.h"

namespace ipusim::compiler {

/// Finds the moves of a copy that read the same elements, such as a block that many tiles want.
/// What they read is cut into messages once, and each message goes to all of them.
class SharedReads {
 public:
  /// `placement` must outlive this.
  SharedReads(const Placement& placement, const CopyStep& copy);

  /// False when no two moves of the copy read the same.
  [[nodiscard]] bool any() const { return repeats_.any(); }

  /// False when no other move of the copy reads what this one reads.
  [[nodiscard]] bool mayShare(const Move& move) const;

  /// Sends what a move reads to where it lands as a whole. `parts` are its parts by where they come
  /// from. They are asked for only when no move before read the same.
  template <typename Parts>
  void add(const Move& move, const Destination& destination, const Parts& parts,
           Transfer& transfer) {
    const auto next = static_cast<std::uint32_t>(reads_.size());
    const std::uint32_t found = numberOf(move, next);
    if (found == next) reads_.push_back({move, {}, {}});
    Read& read = reads_[found];
    if (found == next) {
      for (const TilePart<ShareElements>& part : parts()) addPart(read, part, destination.offset);
    }
    land(read, destination, transfer);
  }

  /// Gives all messages their receivers. Returns false where one of them sends what another message
  /// of the copy sends. The transfer is of no use then.
  [[nodiscard]] bool finish(Transfer& transfer);

 private:
  static constexpr std::uint64_t kNotSent = ~std::uint64_t{0};

  struct ReadPart {
    TileId tile;
    BlockId from;
    Walk<BlockOffsets> walk;  ///< the end of the receiver counts from where the move lands
    std::uint64_t message = kNotSent;
    bool some_stay = false;  ///< some destinations are on the tile that the part comes from
  };
  struct Read {
    Move move;  ///< the first that reads this
    std::vector<ReadPart> parts;
    std::vector<Destination> destinations;
  };

  [[nodiscard]] std::uint32_t numberOf(const Move& move, std::uint32_t next);
  void addPart(Read& read, const TilePart<ShareElements>& part, Bytes landed);
  void land(Read& read, const Destination& destination, Transfer& transfer) const;
  [[nodiscard]] TileId tileOf(const Destination& destination) const {
    return placement_.blocks()[indexOf(destination.block)].tile;
  }
  /// Adds the messages of a read that have several receivers.
  void addShared(const Read& read, Transfer& transfer, std::vector<SharedMessage>& shared) const;
  /// The destinations on other tiles than that of the part, which share its message.
  [[nodiscard]] Destinations destinationsOf(const Read& read, const ReadPart& part) const;

  const Placement& placement_;
  Repeats repeats_;
  HashIndex index_;
  std::vector<Read> reads_;
};

}  // namespace ipusim::compiler
