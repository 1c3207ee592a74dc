// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/mapping_index.h"

#include <algorithm>
#include <map>

#include "base/error.h"

namespace ipusim::workloads {

MappingIndex::MappingIndex(const Variable& variable) : intervals_(variable.mapping.intervals()) {
  std::uint64_t covered = 0;
  bool gapless = true;
  for (const MappedInterval& interval : intervals_) {
    gapless = gapless && interval.begin == covered;
    covered = interval.end;
  }
  if (!gapless || covered != variable.elements) {
    throw InternalError(variable.name + ": an element is on no tile");
  }
}

const MappedInterval& MappingIndex::at(std::uint64_t element) const {
  const auto next =
      std::upper_bound(intervals_.begin(), intervals_.end(), element,
                       [](std::uint64_t e, const MappedInterval& i) { return e < i.begin; });
  return *std::prev(next);
}

namespace {

std::uint64_t strideOf(const MoveDim& dim, Side side) {
  return side == Side::From ? dim.from_stride : dim.to_stride;
}

std::uint64_t spanOf(const MoveDims& dims, Side side) {
  std::uint64_t span = 1;
  for (const MoveDim& dim : dims) span += (dim.count - 1) * strideOf(dim, side);
  return span;
}

void advance(Move& move, const MoveDim& dim, std::uint64_t steps) {
  move.from_offset += steps * dim.from_stride;
  move.to_offset += steps * dim.to_stride;
}

/// Cuts one move; the member functions recurse over its dimensions, the widest stride first.
class Cutter {
 public:
  Cutter(Side side, const MappingIndex& index, std::vector<CutMove>& parts)
      : side_(side), index_(index), parts_(parts) {}

  void cut(const Move& move) {
    const MappedInterval& interval = index_.at(offsetOf(move));
    if (offsetOf(move) + spanOf(move.dims, side_) <= interval.end) {
      emit(move, interval);
      return;
    }
    const auto widest = std::max_element(move.dims.begin(), move.dims.end(),
                                         [this](const MoveDim& a, const MoveDim& b) {
                                           return strideOf(a, side_) < strideOf(b, side_);
                                         });
    cutAlong(move, static_cast<std::size_t>(widest - move.dims.begin()));
  }

 private:
  [[nodiscard]] std::uint64_t offsetOf(const Move& move) const {
    return side_ == Side::From ? move.from_offset : move.to_offset;
  }

  void emit(const Move& move, const MappedInterval& interval) {
    parts_.push_back({interval.tile, move, offsetOf(move)});
    Move& part = parts_.back().move;
    std::uint64_t& offset = side_ == Side::From ? part.from_offset : part.to_offset;
    offset = offset - interval.begin + interval.local;
  }

  /// Takes as many steps of dimension `d` at once as stay in one interval.
  void cutAlong(const Move& move, std::size_t d) {
    const MoveDim dim = move.dims[d];
    const std::uint64_t stride = strideOf(dim, side_);
    Move inner = move;
    inner.dims.erase(inner.dims.begin() + static_cast<std::ptrdiff_t>(d));
    const std::uint64_t inner_span = spanOf(inner.dims, side_);
    for (std::uint64_t step = 0; step < dim.count;) {
      Move rest = inner;
      advance(rest, dim, step);
      const MappedInterval& interval = index_.at(offsetOf(rest));
      const std::uint64_t end = offsetOf(rest) + inner_span;
      if (end > interval.end) {
        cut(rest);
        ++step;
        continue;
      }
      const std::uint64_t steps = std::min(dim.count - step, (interval.end - end) / stride + 1);
      if (steps > 1) {
        rest.dims.insert(rest.dims.begin() + static_cast<std::ptrdiff_t>(d),
                         {steps, dim.from_stride, dim.to_stride});
      }
      emit(rest, interval);
      step += steps;
    }
  }

  Side side_;
  const MappingIndex& index_;
  std::vector<CutMove>& parts_;
};

}  // namespace

void cutBySide(const Move& move, Side side, const MappingIndex& index,
               std::vector<CutMove>& parts) {
  Cutter(side, index, parts).cut(move);
}

std::vector<Move> packingMoves(const View& view, std::uint64_t to_offset) {
  std::vector<Move> moves;
  for (const Section& section : view) {
    Move move{section.variable, section.offset, VariableId{}, to_offset, {}};
    std::uint64_t packed = section.elements();
    to_offset += packed;
    for (const SectionDim& dim : section.dims) {
      packed /= dim.count;
      move.dims.push_back({dim.count, dim.stride, packed});
    }
    moves.push_back(std::move(move));
  }
  return moves;
}

std::vector<TileSection> sectionsByTile(const Graph& graph, const std::vector<Tensor>& tensors) {
  std::vector<TileSection> sections;
  std::map<VariableId, MappingIndex> indices;
  std::vector<Move> moves;
  for (const Tensor& tensor : tensors) {
    const std::vector<Move> more = packingMoves(tensor.view(), 0);
    moves.insert(moves.end(), more.begin(), more.end());
  }
  for (const Move& move : moves) {
    const MappingIndex& index =
        indices.try_emplace(move.from, graph.variable(move.from)).first->second;
    std::vector<CutMove> parts;
    cutBySide(move, Side::From, index, parts);
    for (const CutMove& part : parts) {
      Section section{part.move.from, part.global_offset, {}};
      for (const MoveDim& dim : part.move.dims) {
        section.dims.push_back({dim.count, dim.from_stride});
      }
      sections.push_back({part.tile, std::move(section)});
    }
  }
  std::stable_sort(sections.begin(), sections.end(),
                   [](const TileSection& a, const TileSection& b) { return a.tile < b.tile; });
  return sections;
}

}  // namespace ipusim::workloads
