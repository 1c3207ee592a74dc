// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ipusim/program.h"
#include "workloads/graph/piece_index.h"

namespace ipusim {

/// The moves of a pair of equally shaped tensors, found for one piece of the target at a time.
class CopyMoves {
 public:
  /// `pair` must outlive this.
  explicit CopyMoves(const CopyPair& pair);

  /// True when the moves are better found on demand than kept.
  [[nodiscard]] bool areMany() const;
  /// Adds what piece number `target` of the target gets from the pieces of the source, in order.
  void add(std::size_t target, std::vector<Move>& moves) const;

 private:
  const CopyPair& pair_;
  std::unique_ptr<const PieceIndex> index_;  // of the source's pieces; null where they are few
};

/// Calls `visit` with each move of `step`, in order.
template <typename Visit>
void visitMoves(const CopyStep& step, const Visit& visit) {
  std::size_t next = 0;
  std::vector<Move> moves;
  for (const LargeCopyPair& large : step.large) {
    for (; next < large.before; ++next) visit(step.moves[next]);
    const CopyMoves all(large.pair);
    for (std::size_t target = 0; target < large.pair.to.pieces().size(); ++target) {
      moves.clear();
      all.add(target, moves);
      for (const Move& move : moves) visit(move);
    }
  }
  for (; next < step.moves.size(); ++next) visit(step.moves[next]);
}

}  // namespace ipusim
