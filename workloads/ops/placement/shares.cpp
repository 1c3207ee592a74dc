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

std::vector<ShareOfTile> sharesByTile(const Graph& graph, const Tensor& tensor) {
  std::vector<ShareOfTile> shares;
  std::vector<TileSection> sections = sectionsByTile(graph, {tensor});
  for (auto first = sections.begin(); first != sections.end();) {
    const TileId tile = first->tile;
    const auto last = std::find_if(first, sections.end(),
                                   [tile](const TileSection& part) { return part.tile != tile; });
    ShareOfTile& share = shares.emplace_back();
    share.tile = tile;
    share.view.reserve(static_cast<std::size_t>(last - first));
    for (; first != last; ++first) share.view.push_back(std::move(first->section));
    const auto lies_before = [](const Section& a, const Section& b) {
      return a.begin() < b.begin();
    };
    if (!std::is_sorted(share.view.begin(), share.view.end(), lies_before)) {
      std::sort(share.view.begin(), share.view.end(), lies_before);
    }
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
  std::vector<TileSection> parts = sectionsByTile(graph, {from});
  // A mapping is quickest to set in the order of the elements.
  std::sort(parts.begin(), parts.end(), [](const TileSection& a, const TileSection& b) {
    return a.section.begin() < b.section.begin();
  });
  const VariableId variable = to.pieces().front().variable;
  const std::uint64_t offset = offsetOf(to).value();
  for (std::uint64_t first = 0; first < to.elements(); first += from.elements()) {
    for (const TileSection& part : parts) {
      const std::uint64_t begin = part.section.begin() - offsetOf(from).value();
      graph.setTileMapping(contiguous(variable, offset + first + begin, part.section.elements()),
                           part.tile);
    }
  }
}

}  // namespace ipusim::workloads
