// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/ops/gather/planned_layout.h"

// Look-ups and updates of rows of a table as a plan of popops::embedding says. The indices are read
// on the tiles that need them, wherever they lie. An index that is no row of the table is skipped:
// its slice keeps what was in its memory before.
// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, multiSlice and multiUpdateAdd (MIT).

namespace ipusim::workloads {

/// The rows of a table to look up.
struct PlannedLookUp {
  const EmbeddingPlan& plan;  ///< for slices of a table of that shape and type
  Tensor table;               ///< (rows, columns), of any layout
  Tensor indices;             ///< as many as planned, of one dimension, unsigned int
};

/// Adds the steps that gather the rows with these numbers. A table that does not lie as planned is
/// copied first. Each serial step has a compute set in which each tile looks up its indices in its
/// block of the table. When the rows of the table are split, each tile so finds candidates; three
/// compute sets on the tiles of the indices then turn row numbers into numbers of candidates, and
/// a last one picks each result. Returns (indices, columns), on the tiles that the plan gives the
/// slices.
///
/// The library makes the numbers from 0 on, by which candidates are counted, in a compute set of
/// its own; they are constants here.
Tensor gatherRows(Graph& graph, const Architecture& machine, const PlannedLookUp& look_up,
                  const std::string& name, Program& program);

/// Rows to be added into a table of zeros.
struct PlannedUpdate {
  const EmbeddingPlan& plan;  ///< for updates that add, with partials of the table's type
  Tensor source;              ///< (indices, columns), of any layout
  Tensor indices;             ///< the row that each one is added to: as for PlannedLookUp
};

/// Adds the steps that clear a table and add rows to it. When the plan splits the indices, each
/// part adds to a table of its own, which are cleared before and summed after each serial step, and
/// the sum is added to the table. Otherwise the table is updated where it is. Returns the table,
/// (rows, columns), which lies as planned.
Tensor scatterAddRows(Graph& graph, const Architecture& machine, const PlannedUpdate& update,
                      const OpResult& sums, Program& program);

}  // namespace ipusim::workloads
