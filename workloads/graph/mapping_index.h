// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim {

/// The mapping of a variable, with an index for look-ups. The variable must neither move nor be
/// mapped anew while the index is used.
class MappingIndex {
 public:
  /// Throws GraphError, which names the variable, when an element is on no tile.
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

/// Looks intervals up one after the other. Often an interval is that of the look-up before, or the
/// next one, or as many intervals further on as last time.
class IntervalCursor {
 public:
  /// `index` must outlive this.
  explicit IntervalCursor(const MappingIndex& index) : index_(&index) {}

  const MappedInterval& at(std::uint64_t element) {
    if (holds(last_, element)) return index_->intervals()[last_];
    std::size_t found = last_ + 1;
    if (!holds(found, element)) found = last_ + hop_;
    if (!holds(found, element)) found = index_->numberOf(element);
    hop_ = found - last_;
    last_ = found;
    return index_->intervals()[last_];
  }

 private:
  [[nodiscard]] bool holds(std::size_t interval, std::uint64_t element) const {
    const std::vector<MappedInterval>& all = index_->intervals();
    return interval < all.size() && all[interval].begin <= element && element < all[interval].end;
  }

  const MappingIndex* index_;
  std::size_t last_ = 0;  // interval that was looked up
  std::size_t hop_ = 0;   // from the one before it; wraps where that lay behind
};

/// A part of a walk over a variable that stays in one tile's share. It walks another place in step.
template <typename To>
struct TilePart {
  TileId tile;
  VariableElements begin;  ///< first element of the part in the variable
  Walk<Ends<ShareElements, To>> walk;
};

/// Cuts `walk` where it passes from one interval of its variable to another. The parts come in no
/// particular order. Their number grows with the intervals that the walk alternates between, not
/// with its elements. `To` is PackedElements, VariableElements or ShareElements.
template <typename To>
std::vector<TilePart<To>> cut(const Walk<Ends<VariableElements, To>>& walk,
                              const MappingIndex& index);
/// Replaces the contents of `parts` by those parts: one vector serves many walks.
template <typename To>
void cut(const Walk<Ends<VariableElements, To>>& walk, const MappingIndex& index,
         std::vector<TilePart<To>>& parts);
/// Goes on from where the cursor is: one cursor serves many walks over a variable.
template <typename To>
void cut(const Walk<Ends<VariableElements, To>>& walk, IntervalCursor& intervals,
         std::vector<TilePart<To>>& parts);

/// A section of a variable, walked in step with its place among the elements of a view.
struct PackedSection {
  VariableId variable;
  Walk<Ends<VariableElements, PackedElements>> walk;
};

/// The sections of `view`, packed one after the other.
std::vector<PackedSection> packed(const View& view);

/// A section of a variable that lies on one tile.
struct TileSection {
  TileId tile;
  Section section;
};

/// The elements of `tensors`, cut where they pass from one tile's interval to another, and sorted
/// by tile. On one tile they keep the order of the cuts.
std::vector<TileSection> sectionsByTile(const Graph& graph, const std::vector<Tensor>& tensors);

}  // namespace ipusim
