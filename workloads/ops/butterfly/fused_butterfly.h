// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/butterfly/butterfly.h"

// A butterfly as one would write it for the machine by hand. A tile holds some features of some
// rows of the batch, with one line of rows per feature. A stage whose pairs all lie on one tile has
// one vertex per tile. In any other stage every tile receives the lines of one partner, once.

namespace ipusim::workloads {

/// How features and rows are cut. Part (f, r) is on tile f x row_parts + r.
struct ButterflyGrid {
  std::uint64_t features;
  std::uint64_t batch;
  std::uint64_t feature_parts;  ///< a power of two
  std::uint64_t row_parts;

  [[nodiscard]] std::uint64_t featuresOfPart() const { return features / feature_parts; }
  [[nodiscard]] std::uint64_t firstRow(std::uint64_t part) const {
    return batch * part / row_parts;
  }
};

/// The grid that takes the least time: vertices, what partners send, and a sync for each stage that
/// is not local to the tiles. When no grid fits the tiles' memory, the grid that takes the least
/// memory.
ButterflyGrid planButterfly(const Architecture& machine, const ButterflyShape& shape,
                            std::uint64_t batch, ElementType type);

/// A variable of (batch, features), cut as the grid says, with one piece per part.
Tensor addButterflyRows(Graph& graph, const ButterflyGrid& grid, ElementType type,
                        const OpResult& result);

/// Adds to `program` the step that sends the tiles all twiddles that they need, and then the
/// stages. `operands.rows` must come from addButterflyRows with this grid. The result lies alike.
Tensor addFusedButterfly(Graph& graph, const ButterflyGrid& grid, const ButterflyOperands& operands,
                         const OpResult& result, Program& program);

}  // namespace ipusim::workloads
