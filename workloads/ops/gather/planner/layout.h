// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/ids.h"
#include "workloads/ops/gather/planner/plan.h"
#include "workloads/ops/placement/ranges.h"

// Which tile of a plan holds what, and works on what. The tables of all groups are one tensor
// (groups, rows, columns), the indices (groups, indices), the slices (groups, indices, columns). A
// range is empty on tiles that have nothing.
// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, createSliceableTensor,
// createIndicesTensor, createSliceTensor (MIT).

namespace ipusim::workloads {

/// A tile of a plan, by the part of each split that it has.
struct EmbeddingPlace {
  std::uint32_t group = 0;
  std::uint32_t look_up = 0;
  std::uint32_t row = 0;
  std::uint32_t column = 0;
};

/// The number of a place among the tiles of the plan, from 0. Parts of the columns lie next to each
/// other, then those of the rows, of the look-ups and of the groups.
std::uint32_t placeNumber(const EmbeddingSplits& splits, const EmbeddingPlace& place);

/// The place with that number, which is below splits.tiles().
EmbeddingPlace placeOf(const EmbeddingSplits& splits, std::uint32_t number);

/// The tile of a place, counted from the plan's first tile on, around the machine.
TileId tileOf(const EmbeddingPlan& plan, const EmbeddingPlace& place);

/// A box of the tables.
struct TableBlock {
  Range groups;
  Range rows;
  Range columns;

  [[nodiscard]] std::uint64_t elements() const {
    return groups.size() * rows.size() * columns.size();
  }
};

/// The block in which a place looks up, and of which it updates the rows. All look-up parts have
/// the same one. The columns are cut by elements, not by grains, although the estimate counts
/// grains.
TableBlock blockOf(const EmbeddingPlan& plan, const EmbeddingPlace& place);

/// The elements of the block, in row-major order, that the place stores between uses of the plan.
/// With several look-up parts it also reduces these.
Range storedElements(const EmbeddingPlan& plan, const EmbeddingPlace& place);

/// The indices that the place looks up in a serial step, and whose slices it holds until the rows
/// are merged. The same for all parts of rows and of columns.
Range lookedUpIndices(const EmbeddingPlan& plan, std::uint64_t step, const EmbeddingPlace& place);

/// The indices whose slices the place holds, of its columns, after a look-up or before an update:
/// its share of lookedUpIndices, cut by the parts of the rows.
Range heldSlices(const EmbeddingPlan& plan, std::uint64_t step, const EmbeddingPlace& place);

/// The indices of all groups, in row-major order, that each of the tiles from the plan's first one
/// on stores: as equally many as can be, and 32 at least when there are so many.
std::vector<Range> storedIndices(const EmbeddingPlan& plan);

/// True when a second look-up picks each result among one candidate from each part of the rows.
bool hasCandidates(const EmbeddingPlan& plan);

/// True when each look-up part updates a table of partials, filled before and reduced into the
/// table after. Otherwise vertices update the table where it is.
bool hasPartialTables(const EmbeddingPlan& plan);

/// True when new rows are copied to the places that hold their slices before an update. Otherwise
/// they are sent from where they are.
bool copiesSlicesFirst(const EmbeddingPlan& plan);

}  // namespace ipusim::workloads
