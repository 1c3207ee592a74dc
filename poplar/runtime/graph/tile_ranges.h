// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "poplar/runtime/graph/graph_state.h"

namespace poplar::detail {

/// Elements [begin, end) of a flattened tensor.
struct ElementRange {
  std::size_t begin;
  std::size_t end;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};
using ElementRanges = std::vector<ElementRange>;

/// Where the elements of a tensor lie, by the numbers of the device's tiles. Throws
/// invalid_tile_mapping where an element lies nowhere.
std::map<unsigned, ElementRanges> rangesByTile(const GraphData& graph, const TensorData& tensor);

/// The elements of `ranges`, one after the other.
ipusim::View viewOf(const TensorData& tensor, const ElementRanges& ranges);
/// A tensor of one dimension for each range.
std::vector<Ref<TensorData>> slicesOf(const TensorData& tensor, const ElementRanges& ranges);

/// Shares the ranges of a tile between its workers.
std::vector<ElementRanges> byWorker(const GraphData& graph, const ElementRanges& ranges);

}  // namespace poplar::detail
