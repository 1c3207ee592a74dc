// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// One set of partial results of a block: its elements in order, split over `tiles` in order.
struct PartialSet {
  Tensor elements;  ///< one dimension
  std::vector<TileId> tiles;
};

/// A block of the result, and the partial sets whose sum it is.
struct PartialBlock {
  std::vector<PartialSet> sets;
  Tensor result;  ///< one dimension, not mapped yet
};

/// Adds to `program` the stages that sum the sets of all blocks, with one compute set per stage.
/// There are as many stages as the vendor's reduction plan takes. All blocks have equally many
/// sets. Every tile that holds partials of a block sums an equal share of the block, in whole
/// vectors. The results are mapped; in the last stage they have their own type.
void addReduction(Graph& graph, const Architecture& machine, std::vector<PartialBlock> blocks,
                  const std::string& name, Program& program);

}  // namespace ipusim::workloads
