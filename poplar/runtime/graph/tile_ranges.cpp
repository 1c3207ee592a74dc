// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/graph/tile_ranges.h"

#include "workloads/ops/elementwise/elementwise.h"

namespace poplar::detail {

std::map<unsigned, ElementRanges> rangesByTile(const GraphData& graph, const TensorData& tensor) {
  GraphData whole;  // knows the tiles by the numbers of the device
  whole.state = graph.state;
  std::map<unsigned, ElementRanges> ranges;
  tilesOf(&whole, &tensor, Unmapped::Refuse, &ranges,
          [](void* to, unsigned tile, std::size_t begin, std::size_t end) {
            (*static_cast<std::map<unsigned, ElementRanges>*>(to))[tile].push_back({begin, end});
          });
  return ranges;
}

ipusim::View viewOf(const TensorData& tensor, const ElementRanges& ranges) {
  ipusim::View view;
  for (const ElementRange& range : ranges) {
    const ipusim::View part =
        tensor.view.flatView(range.begin * tensor.unit, range.end * tensor.unit);
    view.insert(view.end(), part.begin(), part.end());
  }
  return view;
}

std::vector<Ref<TensorData>> slicesOf(const TensorData& tensor, const ElementRanges& ranges) {
  const std::size_t elements = tensor.elements();
  const Ref<TensorData> flat = Ref<TensorData>::taking(reshaped(&tensor, &elements, 1));
  std::vector<Ref<TensorData>> slices;
  for (const ElementRange& range : ranges) {
    slices.push_back(Ref<TensorData>::taking(sliced(flat.get(), range.begin, range.end, 0)));
  }
  return slices;
}

std::vector<ElementRanges> byWorker(const GraphData& graph, const ElementRanges& ranges) {
  std::vector<std::uint64_t> lengths;
  for (const ElementRange& range : ranges) lengths.push_back(range.size());
  constexpr std::uint64_t kGrain = 4;  // elements of the widest vector, a half4
  std::vector<ElementRanges> shares;
  std::size_t next = 0;
  std::size_t used = 0;  // elements of ranges[next]
  for (const auto& share :
       ipusim::workloads::splitRuns(lengths, graph.state->target.workers, kGrain)) {
    ElementRanges& of_worker = shares.emplace_back();
    for (const std::uint64_t length : share) {
      const std::size_t begin = ranges[next].begin + used;
      of_worker.push_back({begin, begin + length});
      used += length;
      if (used < ranges[next].size()) continue;
      ++next;
      used = 0;
    }
  }
  return shares;
}

}  // namespace poplar::detail
