// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/random/uniform.h"

#include <utility>
#include <vector>

#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

Tensor addUniform(Graph& graph, const UniformRule& rule, const Tensor& like, const OpResult& result,
                  Program& program) {
  Tensor out =
      graph.addVariable(ElementType::Float, like.shape(), result.name + "/Out", result.lifetime);
  mapAlike(graph, like, out);
  struct TileRange {
    TileId tile;
    std::uint64_t first;
    std::uint64_t end;
  };
  std::vector<TileRange> runs;
  std::vector<double> firsts;
  for (const auto& [tile, share] : sharesByTile(graph, out)) {
    for (const Section& section : share) {
      runs.push_back({tile, section.begin(), section.begin() + section.elements()});
      firsts.push_back(static_cast<double>(section.begin()));
    }
  }
  const std::uint64_t count = runs.size();
  const Tensor numbers =
      graph.addConstant(ElementType::UInt32, {count}, std::move(firsts), result.name + "/first");
  const ComputeSetId compute_set = graph.addComputeSet(result.name + "/Uniform");
  TypeCache<std::uint64_t> types;
  for (std::uint64_t r = 0; r < count; ++r) {
    const TileRange& run = runs[r];
    const std::uint64_t elements = run.end - run.first;
    const Tensor number = numbers.slice(r, r + 1, 0);
    graph.setTileMapping(number, run.tile);
    graph.addVertices(compute_set, {types.get(elements,
                                              [&] {
                                                return uniformVertex({elements, rule});
                                              }),
                                    run.tile,
                                    1,
                                    {{number.view()}, {out.flatView(run.first, run.end)}}});
  }
  program.add(execute(compute_set));
  return out;
}

}  // namespace ipusim::workloads
