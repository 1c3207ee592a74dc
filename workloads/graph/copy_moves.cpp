// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/copy_moves.h"

#include <algorithm>

namespace ipusim {

namespace {

using Piece = Tensor::Piece;

/// Up to this many pairs of pieces are all tried. With more pairs, an index finds the pieces that
/// meet.
constexpr std::size_t kTriedPairs = 1U << 12U;

/// Adds a move for what two pieces of equally shaped tensors have in common, if anything.
void addCommonPart(const Piece& from, const Piece& to, std::vector<Move>& moves) {
  for (std::size_t d = 0; d < from.begin.size(); ++d) {
    const std::uint64_t low = std::max(from.begin[d], to.begin[d]);
    if (low >= std::min(from.begin[d] + from.extent[d], to.begin[d] + to.extent[d])) return;
  }
  Move& move = moves.emplace_back();
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
}

}  // namespace

CopyMoves::CopyMoves(const CopyPair& pair) : pair_(pair) {
  const std::vector<Piece>& sources = pair.from.pieces();
  if (sources.size() * pair.to.pieces().size() > kTriedPairs) {
    index_ = std::make_unique<const PieceIndex>(sources);
  }
}

bool CopyMoves::areMany() const {
  return index_ != nullptr;
}

void CopyMoves::add(std::size_t target, std::vector<Move>& moves) const {
  const std::vector<Piece>& sources = pair_.from.pieces();
  const Piece& to = pair_.to.pieces()[target];
  if (index_ == nullptr) {
    for (const Piece& from : sources) addCommonPart(from, to, moves);
    return;
  }
  for (const std::size_t s : index_->near(to)) addCommonPart(sources[s], to, moves);
}

}  // namespace ipusim
