// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "poplar/Graph.hpp"
#include "poputil/exceptions.hpp"

namespace poputil {

namespace detail {

inline std::size_t commonDivisor(std::size_t a, std::size_t b) {
  while (b != 0) {
    const std::size_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace detail

/// The size of the groups in which elements of the last dimension lie together, in memory and on a
/// tile; 1 where there are none. It looks at the first row only. Source of the rule:
/// poputil::detectInnermostGrouping of graphcore/poplibs.
inline unsigned detectInnermostGrouping(const poplar::Graph& graph, const poplar::Tensor& tensor) {
  if (tensor.rank() == 0) {
    throw poputil::poplibs_error("detectInnermostGrouping: wanted a tensor with a last dimension");
  }
  if (tensor.numElements() == 0) return 1;
  poplar::Tensor row = tensor;
  while (row.rank() > 1) row = row[0];
  const std::size_t together = row.getContiguousRegions().front().size();
  std::size_t on_a_tile = 0;
  for (const auto& regions : graph.getTileMapping(row)) {
    for (const poplar::Interval& region : regions) on_a_tile = std::max(on_a_tile, region.size());
  }
  const std::size_t group = detail::commonDivisor(on_a_tile, together);
  return row.numElements() % group == 0 ? static_cast<unsigned>(group) : 1;
}

}  // namespace poputil
