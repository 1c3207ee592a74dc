// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/movement/multi_slice.h"
#include "workloads/ops/gather/planner/plan.h"

// The vertices of planned look-ups and updates, as the published planner weighs them: their costs
// are those of models/ipu/cost, called with the shapes that the planner assumes.
// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, lib/popops/PerformanceEstimation (MIT).
// Calibrated: no.

namespace ipusim::workloads {

/// Elements of one type.
struct TypedElements {
  ElementType type;
  std::uint64_t count;
};

/// Tile cycles to fill a run of elements. The workers share whole vectors, two at least for each.
Cycles plannedFillCycles(const Architecture& machine, const TypedElements& elements);

/// A table of which several tiles have partial results, in float.
struct PartialTables {
  RowUpdate update;  ///< Add, Maximum or Multiply
  std::uint64_t tables;
  std::uint64_t elements;  ///< of one
};

/// Elements of the result that each of the tiles reduces.
std::uint64_t reducedElements(const PartialTables& partials);

/// Tile cycles that reduce the partial tables, each of the tiles its share of the elements: one
/// strided Reduce vertex on each worker, whose outputs are whole vectors. A single table is left as
/// it is.
Cycles plannedReduceCycles(const Architecture& machine, const PartialTables& partials);

/// Tile cycles that combine the reduced rows with the table: a ScaledAdd of floats, or one vector
/// per cycle.
Cycles plannedCombineCycles(const Architecture& machine, RowUpdate update,
                            const TypedElements& table);

/// Rows of one table that a vertex looks up or updates.
struct PlannedRows {
  ElementType type;       ///< of the vertex's table
  std::uint64_t columns;  ///< elements of a row on the tile
  models::LookUps look_ups;
  /// Indices of the whole operation. The workers share the columns of a single one, when these fill
  /// words.
  std::uint64_t all_indices;
};

/// Tile cycles of a MultiSlice vertex, of which each worker has `rows.look_ups`.
Cycles plannedSliceCycles(const Architecture& machine, const PlannedRows& rows);

/// Tile cycles of the vertex that updates rows: MultiUpdate to replace them, and otherwise a
/// MultiUpdateOp, which is charged a scale of the table's type whatever the update. Its workers
/// share the tile's rows, and each reads all of the tile's indices, `rows.look_ups`.
Cycles plannedUpdateCycles(const Architecture& machine, RowUpdate update, const PlannedRows& rows,
                           models::SubWordWrites writes);

}  // namespace ipusim::workloads
