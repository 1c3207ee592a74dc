// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/graph/graph.h"

namespace ipusim::workloads {

/// A variable's mapping, indexed.
class MappingIndex {
 public:
  /// Throws InternalError where an element of the variable is on no tile.
  explicit MappingIndex(const Variable& variable);

  /// The interval that holds `element`.
  [[nodiscard]] const MappedInterval& at(std::uint64_t element) const;
  [[nodiscard]] const std::vector<MappedInterval>& intervals() const { return intervals_; }

 private:
  std::vector<MappedInterval> intervals_;
};

/// The end of a move that a mapping cuts.
enum class Side : std::uint8_t { From, To };

/// A part of a move that has one interval at the cut side: `move` has that side's offset within the
/// tile's share.
struct CutMove {
  TileId tile;
  Move move;
  std::uint64_t global_offset;  ///< that side's offset within the variable
};

/// Cuts `move` where its `side` passes from one interval to another. The parts come in no special
/// order; their number grows with the intervals that the move really alternates between, not with
/// its elements.
void cutBySide(const Move& move, Side side, const MappingIndex& index, std::vector<CutMove>& parts);

/// `view` as moves into consecutive places from `to_offset` on; `to` stays 0.
std::vector<Move> packingMoves(const View& view, std::uint64_t to_offset);

/// A section of a variable that lies on one tile.
struct TileSection {
  TileId tile;
  Section section;
};

/// The elements of `tensors`, cut where they pass from one tile's interval to another, by tile. The
/// order within a tile is that of the cuts.
std::vector<TileSection> sectionsByTile(const Graph& graph, const std::vector<Tensor>& tensors);

}  // namespace ipusim::workloads
