// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
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
  void add(std::size_t target, std::vector<MoveRun>& moves) const;

 private:
  /// Pieces of the source, one behind the other in one dimension, of one form.
  struct PieceRun {
    std::size_t first;  ///< number of its first piece
    std::size_t count = 1;
    std::size_t dim = 0;
    std::uint64_t step = 0;         ///< from one piece to the next, in the dimension
    std::uint64_t offset_step = 0;  ///< in the variable; wraps where it is negative
  };

  static std::vector<PieceRun> runsOf(const std::vector<Tensor::Piece>& pieces);
  static bool extend(PieceRun& run, const std::vector<Tensor::Piece>& pieces);
  [[nodiscard]] Tensor::Piece boxOf(const PieceRun& run) const;
  void addCommon(const PieceRun& run, const Tensor::Piece& to, std::vector<MoveRun>& moves) const;

  const CopyPair& pair_;
  std::vector<PieceRun> runs_;
  std::unique_ptr<const PieceIndex> index_;  // of the source's runs; null where pieces are few
};

/// Calls `visit` with each run of moves of `step`, in order.
template <typename Visit>
void visitMoveRuns(const CopyStep& step, const Visit& visit) {
  std::size_t next = 0;
  std::vector<MoveRun> runs;
  for (const LargeCopyPair& large : step.large) {
    for (; next < large.before; ++next) visit(step.moves[next]);
    const CopyMoves all(large.pair);
    for (std::size_t target = 0; target < large.pair.to.pieces().size(); ++target) {
      runs.clear();
      all.add(target, runs);
      for (const MoveRun& run : runs) visit(run);
    }
  }
  for (; next < step.moves.size(); ++next) visit(step.moves[next]);
}

/// Calls `visit` with each move of `run`, in order.
template <typename Visit>
void visitMoves(const MoveRun& run, const Visit& visit) {
  Move move = run.first;
  for (std::uint64_t number = 0; number < run.count; ++number) {
    move.walk.begin = run.begin(number);
    visit(move);
  }
}

/// Calls `visit` with each move of `step`, in order.
template <typename Visit>
void visitMoves(const CopyStep& step, const Visit& visit) {
  visitMoveRuns(step, [&visit](const MoveRun& run) { visitMoves(run, visit); });
}

/// How many moves the runs have together.
std::uint64_t movesIn(const std::vector<MoveRun>& runs);

/// The moves of `step` in order, those of its large pairs too.
std::vector<MoveRun> runsOf(const CopyStep& step);

}  // namespace ipusim
