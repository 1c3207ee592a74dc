// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/graph.h"

// The shares that tiles hold of a tensor of one dimension and consecutive elements, for vertices
// that work on their tile's share of several tensors in step.

namespace ipusim::workloads {

/// What one tile holds, in the order of its memory.
struct ShareOfTile {
  TileId tile;
  View view;
};

/// The share of each tile, by tile.
std::vector<ShareOfTile> sharesByTile(const Graph& graph, const Tensor& tensor);

/// The elements of `to` at the places that `share` has in `from`.
View shareIn(const Tensor& to, View share, const Tensor& from);

/// Maps `to` like `from`. `to` may have several times as many elements; the mapping then repeats.
void mapAlike(Graph& graph, const Tensor& from, const Tensor& to);

}  // namespace ipusim::workloads
