// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/placement/shares.h"

#include <algorithm>

#include "workloads/graph/mapping_index.h"

namespace ipusim::workloads {

namespace {

VariableElements offsetOf(const Tensor& tensor) {
  return tensor.pieces().front().offset;
}

}  // namespace

std::map<TileId, View> sharesByTile(const Graph& graph, const Tensor& tensor) {
  std::map<TileId, View> shares;
  for (TileSection& part : sectionsByTile(graph, {tensor})) {
    shares[part.tile].push_back(std::move(part.section));
  }
  for (auto& [tile, view] : shares) {
    std::sort(view.begin(), view.end(),
              [](const Section& a, const Section& b) { return a.begin() < b.begin(); });
  }
  return shares;
}

View shareIn(const Tensor& to, View share, const Tensor& from) {
  for (Section& section : share) {
    section.variable = to.pieces().front().variable;
    section.walk.begin = excess(section.walk.begin, offsetOf(from)) + offsetOf(to);
  }
  return share;
}

void mapAlike(Graph& graph, const Tensor& from, const Tensor& to) {
  const std::uint64_t size = from.elements();
  for (const TileSection& part : sectionsByTile(graph, {from})) {
    const std::uint64_t begin = part.section.begin() - offsetOf(from).value();
    for (std::uint64_t first = 0; first < to.elements(); first += size) {
      graph.setTileMapping(to.slice(first + begin, first + begin + part.section.elements(), 0),
                           part.tile);
    }
  }
}

}  // namespace ipusim::workloads
