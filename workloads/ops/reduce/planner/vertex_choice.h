// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "workloads/ops/reduce/planner/tile_work.h"

// Which vertices a worker runs.
// Source: graphcore/poplibs lib/popops/reduction/ReductionConnection.cpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// What vertices read.
struct VertexInputs {
  const TileCore& core;
  const std::vector<ColumnPattern>& patterns;
  PartialsIn from;
};

/// The vertices for `parts`, all of which are reductions of one kind, on one worker. Neighbours are
/// joined first. For the parts in one, the first of these that fits:
///
///  - SingleInput: one output and one run of partials. Sums, squares and log-sums, no update.
///  - Continuous: columns whose partials are one run each. Not for products.
///  - Strided: rows of columns. Not for products. Outputs are a multiple of the smallest store. The
///    row and the stride are multiples of the data path; partials that are received are laid out
///    so that the stride is.
///
/// If none of these can take all parts, those that a Continuous or a Strided vertex can take have
/// one each. The others are one list, if 22 + 8 bytes per part are no more than what they take
/// apart: 12 for a part that one of the above fits, and a list of its own for any other.
std::vector<ReduceVertexPlan> verticesFor(const VertexInputs& inputs,
                                          const models::ReduceKind& kind,
                                          const std::vector<PatternPart>& parts);

/// Issue slots of a vertex on its worker, by the published estimate of its form. That of Continuous
/// leaves one output out, so that a single output takes the estimate of SingleInput. This one has
/// no log-sums; they take the estimate of a list.
Cycles reduceVertexCycles(const Architecture& machine, const std::vector<ColumnPattern>& patterns,
                          const ReduceVertexPlan& vertex);

}  // namespace ipusim::workloads
