// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::executor {

/// A family, or a message and one of its destinations: one thing that a tile does in a step.
struct TilePiece {
  std::uint32_t index;         ///< index of the family or the run of messages in its step
  std::uint32_t message = 0;   ///< number of the message in its run
  std::uint32_t receiver = 0;  ///< number of the message's receiver
};

/// Pieces that follow one another.
class TilePieces {
 public:
  TilePieces(const TilePiece* begin, const TilePiece* end) : begin_(begin), end_(end) {}

  [[nodiscard]] const TilePiece* begin() const { return begin_; }
  [[nodiscard]] const TilePiece* end() const { return end_; }

 private:
  const TilePiece* begin_;
  const TilePiece* end_;
};

/// The pieces of a step, sorted by tile. Tiles may run in any order, because in a step no tile
/// reads what another one writes: families stay on their tile, and nothing lands on bytes that are
/// sent.
class PiecesByTile {
 public:
  PiecesByTile(const compiler::Step& step, const std::vector<compiler::Block>& blocks);

  /// How many tiles have pieces. Below, a tile is an index among these.
  [[nodiscard]] std::size_t tiles() const { return begins_.size() - 1; }
  /// The pieces of the tile, in the order of the step.
  [[nodiscard]] TilePieces of(std::size_t tile) const {
    return {pieces_.data() + begins_[tile], pieces_.data() + begins_[tile + 1]};
  }

 private:
  std::vector<TilePiece> pieces_;
  std::vector<std::size_t> begins_;  ///< one entry per tile that has pieces, and one for the end
};

}  // namespace ipusim::executor
