// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "sim/compile/executable.h"

namespace ipusim::checker {

/// What a tile does in a step, in the step's order: a family, or a message and one of its landings.
struct TilePiece {
  std::uint32_t index;        ///< of the family or the message in its step
  std::uint32_t landing = 0;  ///< of the message in its list of receivers
};

/// The pieces of a step, those of a tile together. In a step no tile reads what another one writes:
/// families stay on their tile, and nothing lands on what is sent. So tiles may go in any order.
class PiecesByTile {
 public:
  PiecesByTile(const compiler::Step& step, const std::vector<compiler::Block>& blocks);

  /// How many tiles have pieces.
  [[nodiscard]] std::size_t tiles() const { return begins_.size() - 1; }
  [[nodiscard]] const TilePiece* begin(std::size_t tile) const {
    return pieces_.data() + begins_[tile];
  }
  [[nodiscard]] const TilePiece* end(std::size_t tile) const {
    return pieces_.data() + begins_[tile + 1];
  }

 private:
  std::vector<TilePiece> pieces_;
  std::vector<std::size_t> begins_;  ///< one entry per tile, and the end
};

}  // namespace ipusim::checker
