// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::compiler {

/// An edge of a bipartite multigraph; the two sides count their nodes apart.
struct Edge {
  std::uint32_t left;
  std::uint32_t right;
};

/// A colour for each edge so that edges which share a node differ, with as few colours as the node
/// with the most edges has edges: it can always be done (Koenig, 1916). An edge takes the lowest
/// colour free at both its ends; where there is none, two colours change places on the path that
/// they make from one end. Empty if the table this needs (nodes times colours) would be too large.
std::vector<std::uint32_t> colourEdges(const std::vector<Edge>& edges);

}  // namespace ipusim::compiler
