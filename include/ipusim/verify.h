// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/graph.h"

namespace ipusim {

/// Throws GraphError, which names variable, vertex and tile, unless a machine with `tiles` tiles
/// can run `graph`: every element of every variable is on one of the tiles, every vertex is on one
/// of the tiles, and no two vertices of a compute set write the same element. The time it takes
/// grows with the number of consecutive runs of elements that the vertices write.
void verify(const Graph& graph, std::uint32_t tiles);

/// Throws GraphError unless no two vertices of the compute set write the same element.
void verifyWriters(const Graph& graph, const ComputeSet& set);

}  // namespace ipusim
