// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim {

/// A variable's mapping, indexed. The variable must stay where it is for as long as the index is
/// used, and its mapping as it is.
class MappingIndex {
 public:
  /// Throws GraphError, which names the variable, where an element of it is on no tile.
  explicit MappingIndex(const Variable& variable);

  /// The number of the interval that holds `element`.
  [[nodiscard]] std::size_t numberOf(std::uint64_t element) const;
  /// That interval.
  [[nodiscard]] const MappedInterval& at(std::uint64_t element) const {
    return (*intervals_)[numberOf(element)];
  }
  [[nodiscard]] const std::vector<MappedInterval>& intervals() const { return *intervals_; }

 private:
  const std::vector<MappedInterval>* intervals_;
};

/// A part of a walk over a variable, in step with another place, that stays in one tile's share.
template <typename To>
struct TilePart {
  TileId tile;
  VariableElements begin;  ///< of the part in the variable
  Walk<Ends<ShareElements, To>> walk;
};

/// Cuts `walk` where it passes from one interval of its variable to another. The parts come in no
/// special order; their number grows with the intervals that the walk really alternates between,
/// not with its elements. To: PackedElements, VariableElements or ShareElements.
template <typename To>
std::vector<TilePart<To>> cut(const Walk<Ends<VariableElements, To>>& walk,
                              const MappingIndex& index);
/// Puts the same parts into `parts`, in place of what is there: one vector serves many walks.
template <typename To>
void cut(const Walk<Ends<VariableElements, To>>& walk, const MappingIndex& index,
         std::vector<TilePart<To>>& parts);

/// A section of a variable in step with its place among the elements of a view.
struct PackedSection {
  VariableId variable;
  Walk<Ends<VariableElements, PackedElements>> walk;
};

/// The sections of `view`, one packed after the other.
std::vector<PackedSection> packed(const View& view);

/// A section of a variable that lies on one tile.
struct TileSection {
  TileId tile;
  Section section;
};

/// The elements of `tensors`, cut where they pass from one tile's interval to another, by tile. The
/// order within a tile is that of the cuts.
std::vector<TileSection> sectionsByTile(const Graph& graph, const std::vector<Tensor>& tensors);

}  // namespace ipusim
