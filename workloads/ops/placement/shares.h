// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

// What each tile holds of a tensor of one dimension and consecutive elements, for vertices that
// work on their tile's share of several tensors in step.

namespace ipusim::workloads {

/// What one tile holds, in the order of its memory.
struct ShareOfTile {
  TileId tile;
  View view;
};

/// The tiles' shares of a tensor, by tile.
std::vector<ShareOfTile> sharesByTile(const Graph& graph, const Tensor& tensor);

/// The elements of `to` at the places that `share` has in `from`.
View shareIn(const Tensor& to, View share, const Tensor& from);

/// Maps `to`, one or more times as many elements as `from` has, like `from`, time after time.
void mapAlike(Graph& graph, const Tensor& from, const Tensor& to);

}  // namespace ipusim::workloads
