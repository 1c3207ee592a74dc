// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/butterfly/butterfly.h"

// A butterfly as one would write it for the machine by hand: a tile holds some features of some
// rows of the batch, a line of rows for each feature. A stage whose pairs all lie on their tiles
// is one vertex a tile; any other sends every tile the lines of one partner, once.

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

/// The grid that takes least time: vertices, what partners send, and a sync for each stage that is
/// not on tiles. Where all fill the tiles' memory, the one that takes least of it.
ButterflyGrid planButterfly(const Architecture& machine, const ButterflyShape& shape,
                            std::uint64_t batch, ElementType type);

/// A variable of (batch, features) cut as the grid says; a piece for each part.
Tensor addButterflyRows(Graph& graph, const ButterflyGrid& grid, ElementType type,
                        const OpResult& result);

/// Adds to `program` the step that sends the tiles all the twiddles they need, and the stages.
/// `operands.rows` is of addButterflyRows with this grid; so is the result.
Tensor addFusedButterfly(Graph& graph, const ButterflyGrid& grid, const ButterflyOperands& operands,
                         const OpResult& result, Program& program);

}  // namespace ipusim::workloads
