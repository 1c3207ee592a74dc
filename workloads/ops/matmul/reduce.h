// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/matmul/layout.h"

namespace ipusim::workloads {

/// One set of partial results of a block: its elements in order, split over `tiles` in order.
struct PartialSet {
  Tensor elements;  ///< one dimension
  std::vector<TileId> tiles;
};

/// A block of the result and the partial sets that add up to it.
struct PartialBlock {
  std::vector<PartialSet> sets;
  Tensor result;  ///< one dimension, not mapped yet
};

/// Adds to `program` the stages that add up the sets of all blocks, one compute set a stage, in as
/// many stages as the vendor's reduction plan takes; all blocks have as many sets. Every tile that
/// holds partials of a block adds up an equal share of it, in whole vectors. The results are mapped
/// and, in the last stage, of their own type.
void addReduction(Graph& graph, const Architecture& machine, std::vector<PartialBlock> blocks,
                  const std::string& name, Program& program);

}  // namespace ipusim::workloads
