// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/graph.h"

namespace ipusim {

/// Throws GraphError, naming variable, vertex and tile, unless a machine of `tiles` tiles can run
/// `graph`: every element of every variable is on one of the tiles, and so is every vertex; no two
/// vertices of one compute set write the same element. Takes time in proportion to the consecutive
/// runs of elements that the vertices write.
void verify(const Graph& graph, std::uint32_t tiles);

}  // namespace ipusim
