// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/random/dropout.h"

#include <utility>

#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

Tensor addDropout(Graph& graph, const DropoutRule& rule, const Tensor& in, const OpResult& result,
                  Program& program) {
  Tensor out = graph.addVariable(in.type(), in.shape(), result.name + "/Out", result.lifetime);
  mapAlike(graph, in, out);
  struct TileRange {
    TileId tile;
    std::uint64_t first;
    std::uint64_t elements;
  };
  std::vector<TileRange> runs;
  std::vector<double> firsts;
  const std::uint64_t begin = in.pieces().front().offset.value();
  for (const auto& [tile, share] : sharesByTile(graph, in)) {
    for (const Section& section : share) {
      runs.push_back({tile, section.begin() - begin, section.elements()});
      firsts.push_back(static_cast<double>(runs.back().first));
    }
  }
  const std::uint64_t count = runs.size();
  const Tensor numbers =
      graph.addConstant(ElementType::UInt32, {count}, std::move(firsts), result.name + "/first");
  const ComputeSetId compute_set = graph.addComputeSet(result.name + "/Dropout");
  TypeCache<std::uint64_t> types;
  for (std::uint64_t r = 0; r < count; ++r) {
    const TileRange& run = runs[r];
    const Tensor number = numbers.slice(r, r + 1, 0);
    graph.setTileMapping(number, run.tile);
    const std::uint64_t end = run.first + run.elements;
    graph.addVertices(
        compute_set,
        {types.get(run.elements,
                   [&] {
                     return dropoutVertex({in.type(), run.elements, rule});
                   }),
         run.tile,
         1,
         {{in.flatView(run.first, end)}, {number.view()}, {out.flatView(run.first, end)}}});
  }
  program.add(execute(compute_set));
  return out;
}

}  // namespace ipusim::workloads
