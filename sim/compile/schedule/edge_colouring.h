// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::compiler {

/// An edge of a bipartite multigraph. Each side numbers its own nodes.
struct Edge {
  std::uint32_t left;
  std::uint32_t right;
};

/// Gives each edge a colour so that edges which share a node differ. The number of colours is the
/// largest number of edges at one node, which always suffices (Koenig, 1916). An edge takes the
/// lowest colour that is free at both its ends. Where no colour is, two colours change places along
/// the path that they form from one end. Empty if the table of nodes times colours would be too
/// large.
std::vector<std::uint32_t> colourEdges(const std::vector<Edge>& edges);

}  // namespace ipusim::compiler
