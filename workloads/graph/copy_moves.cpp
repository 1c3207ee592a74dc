// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/copy_moves.h"

#include <algorithm>

#include "ipusim/units.h"

namespace ipusim {

namespace {

using Piece = Tensor::Piece;

/// Up to this many pairs of pieces are all tried. With more pairs, an index finds the pieces that
/// meet.
constexpr std::size_t kTriedPairs = 1U << 12U;

/// The end of a piece in a dimension.
std::uint64_t endOf(const Piece& piece, std::size_t dim) {
  return piece.begin[dim] + piece.extent[dim];
}

/// Whether two pieces of equally shaped tensors have indices of a dimension in common.
bool meet(const Piece& a, const Piece& b, std::size_t dim) {
  return std::max(a.begin[dim], b.begin[dim]) < std::min(endOf(a, dim), endOf(b, dim));
}

/// The move of what two pieces have in common. They must have something in common.
Move commonPart(const Piece& from, const Piece& to) {
  Move move;
  move.from = from.variable;
  move.to = to.variable;
  move.walk.begin = {from.offset, to.offset};
  for (std::size_t d = 0; d < from.begin.size(); ++d) {
    const std::uint64_t low = std::max(from.begin[d], to.begin[d]);
    const std::uint64_t high = std::min(from.begin[d] + from.extent[d], to.begin[d] + to.extent[d]);
    const VariableElements from_stride(from.stride[d]);
    const VariableElements to_stride(to.stride[d]);
    move.walk.begin += {from_stride * (low - from.begin[d]), to_stride * (low - to.begin[d])};
    if (high - low > 1) move.walk.levels.push_back({high - low, {from_stride, to_stride}});
  }
  return move;
}

/// Whether two moves differ in where they begin only.
bool haveOneForm(const Move& a, const Move& b) {
  return a.from == b.from && a.to == b.to && a.walk.levels == b.walk.levels;
}

/// How many steps of `step` from `from` on lead to a number of at least `least`.
std::uint64_t stepsTo(std::uint64_t least, std::uint64_t from, std::uint64_t step) {
  return from >= least ? 0 : ceilDiv(least - from, step);
}

}  // namespace

void appendMove(std::vector<MoveRun>& runs, Move move) {
  if (!runs.empty() && haveOneForm(runs.back().first, move)) {
    MoveRun& run = runs.back();
    if (run.count == 1) {
      const auto& [from, to] = run.first.walk.begin;
      run.from_step = move.walk.begin.from.value() - from.value();
      run.to_step = move.walk.begin.to.value() - to.value();
    }
    if (run.begin(run.count) == move.walk.begin) {
      ++run.count;
      return;
    }
  }
  runs.push_back({std::move(move)});
}

std::uint64_t movesIn(const std::vector<MoveRun>& runs) {
  std::uint64_t moves = 0;
  for (const MoveRun& run : runs) moves += run.count;
  return moves;
}

std::vector<MoveRun> runsOf(const CopyStep& step) {
  std::vector<MoveRun> runs;
  visitMoves(step, [&runs](const Move& move) { appendMove(runs, move); });
  return runs;
}

CopyMoves::CopyMoves(const CopyPair& pair) : pair_(pair), runs_(runsOf(pair.from.pieces())) {
  if (pair.from.pieces().size() * pair.to.pieces().size() <= kTriedPairs) return;
  std::vector<Piece> boxes;
  boxes.reserve(runs_.size());
  for (const PieceRun& run : runs_) boxes.push_back(boxOf(run));
  index_ = std::make_unique<const PieceIndex>(boxes);
}

std::vector<CopyMoves::PieceRun> CopyMoves::runsOf(const std::vector<Piece>& pieces) {
  std::vector<PieceRun> runs;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (p == 0 || !extend(runs.back(), pieces)) runs.push_back({p});
  }
  return runs;
}

/// Adds the piece behind the run to it, where that piece continues it.
bool CopyMoves::extend(PieceRun& run, const std::vector<Piece>& pieces) {
  const Piece& last = pieces[run.first + run.count - 1];
  const Piece& next = pieces[run.first + run.count];
  if (last.variable != next.variable || last.extent != next.extent || last.stride != next.stride) {
    return false;
  }
  std::size_t dim = 0;
  while (dim < last.begin.size() && last.begin[dim] == next.begin[dim]) ++dim;
  if (dim == last.begin.size() || next.begin[dim] < endOf(last, dim)) return false;
  if (!std::equal(last.begin.begin() + static_cast<std::ptrdiff_t>(dim) + 1, last.begin.end(),
                  next.begin.begin() + static_cast<std::ptrdiff_t>(dim) + 1)) {
    return false;
  }
  const std::uint64_t step = next.begin[dim] - last.begin[dim];
  const std::uint64_t offset_step = next.offset.value() - last.offset.value();
  if (run.count == 1) {
    run.dim = dim;
    run.step = step;
    run.offset_step = offset_step;
  }
  const bool continues = run.dim == dim && run.step == step && run.offset_step == offset_step;
  if (continues) ++run.count;
  return continues;
}

/// The smallest box around the pieces of the run.
Piece CopyMoves::boxOf(const PieceRun& run) const {
  Piece box = pair_.from.pieces()[run.first];
  if (run.count > 1) box.extent[run.dim] += (run.count - 1) * run.step;
  return box;
}

bool CopyMoves::areMany() const {
  return index_ != nullptr;
}

/// The pieces of the run that lie within the target in the run's dimension give equal moves. Those
/// that reach beyond it are cut one by one.
void CopyMoves::addCommon(const PieceRun& run, const Piece& to, std::vector<MoveRun>& moves) const {
  const Piece* const pieces = pair_.from.pieces().data() + run.first;
  for (std::size_t d = 0; d < to.begin.size(); ++d) {
    if ((run.count == 1 || d != run.dim) && !meet(*pieces, to, d)) return;
  }
  if (run.count == 1) {
    appendMove(moves, commonPart(*pieces, to));
    return;
  }
  const std::uint64_t begin = pieces->begin[run.dim];
  const std::uint64_t end = endOf(*pieces, run.dim);
  const std::uint64_t to_begin = to.begin[run.dim];
  const std::uint64_t to_end = endOf(to, run.dim);
  const std::uint64_t last = std::min<std::uint64_t>(run.count, stepsTo(to_end, begin, run.step));
  const std::uint64_t first = std::min(last, stepsTo(to_begin + 1, end, run.step));
  const std::uint64_t whole = std::clamp(stepsTo(to_begin, begin, run.step), first, last);
  const std::uint64_t cut = std::clamp(stepsTo(to_end + 1, end, run.step), whole, last);
  for (std::uint64_t p = first; p < whole; ++p) appendMove(moves, commonPart(pieces[p], to));
  if (whole < cut) {
    moves.push_back({commonPart(pieces[whole], to), cut - whole, run.offset_step,
                     run.step * to.stride[run.dim]});
  }
  for (std::uint64_t p = cut; p < last; ++p) appendMove(moves, commonPart(pieces[p], to));
}

void CopyMoves::add(std::size_t target, std::vector<MoveRun>& moves) const {
  const Piece& to = pair_.to.pieces()[target];
  if (index_ == nullptr) {
    for (const PieceRun& run : runs_) addCommon(run, to, moves);
    return;
  }
  for (const std::size_t run : index_->near(to)) addCommon(runs_[run], to, moves);
}

}  // namespace ipusim
