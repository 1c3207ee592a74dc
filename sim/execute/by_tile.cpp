// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/by_tile.h"

#include <algorithm>
#include <utility>

namespace ipusim::executor {

using compiler::Block;
using compiler::Message;
using compiler::MessageRun;
using compiler::Messages;
using compiler::Step;

namespace {

/// Calls `use(tile, piece)` with every piece, in the order of the step.
template <typename Use>
void forEachPiece(const Step& step, const std::vector<Block>& blocks, const Use& use) {
  for (std::uint32_t f = 0; f < step.families.size(); ++f) {
    use(step.families[f].tile, TilePiece{f});
  }
  const Messages& messages = step.messages;
  for (std::uint32_t r = 0; r < messages.runs().size(); ++r) {
    const MessageRun& run = messages.runs()[r];
    for (std::uint32_t m = 0; m < run.count(); ++m) {
      const Message message = run.at(m);
      const std::uint32_t receivers = messages.receiversOf(message);
      for (std::uint32_t l = 0; l < receivers; ++l) {
        use(blocks[indexOf(messages.destinationOf(message, l).block)].tile, TilePiece{r, m, l});
      }
    }
  }
}

}  // namespace

/// Counts the pieces of each tile, then puts each piece in its place.
PiecesByTile::PiecesByTile(const Step& step, const std::vector<Block>& blocks) {
  std::vector<std::size_t> counts;
  forEachPiece(step, blocks, [&](TileId tile, const TilePiece&) {
    if (counts.size() <= tile.tile()) counts.resize(tile.tile() + 1);
    ++counts[tile.tile()];
  });
  begins_.push_back(0);
  for (std::size_t& next : counts) {
    const std::size_t begin = begins_.back();
    if (next > 0) begins_.push_back(begin + next);
    next = begin;
  }
  pieces_.resize(begins_.back());
  forEachPiece(step, blocks, [&](TileId tile, const TilePiece& piece) {
    pieces_[counts[tile.tile()]++] = piece;
  });
}

}  // namespace ipusim::executor
