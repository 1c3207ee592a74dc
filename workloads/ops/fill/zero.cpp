// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/fill/zero.h"

#include <algorithm>
#include <tuple>

#include "workloads/graph/mapping_index.h"
#include "workloads/vertices/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

constexpr VariableElements kNext(1);

/// Vertex types by type, regions and elements of a region.
using ZeroTypes = TypeCache<std::tuple<ElementType, std::uint64_t, std::uint64_t>>;

/// Where the vertices go, and how many workers a tile has.
struct ZeroSite {
  Graph& graph;
  ComputeSetId compute_set;
  std::uint32_t workers;
};

/// Adds vertices that clear `part`, whose runs the workers share.
void addVertices(const ZeroSite& site, const TileSection& part, ZeroTypes& types) {
  const ElementType type = site.graph.variable(part.section.variable).type;
  Section section = part.section;
  section.walk.normalize();
  auto& levels = section.walk.levels;
  std::uint64_t run = 1;
  if (!levels.empty() && levels.back().stride == kNext) {
    run = levels.back().count;
    levels.pop_back();
  }
  if (levels.empty()) levels.push_back({1, VariableElements(0)});
  const Level<VariableElements> outer = levels.front();
  const std::uint64_t inner_runs = section.elements() / outer.count;
  for (std::uint64_t done = 0; done < outer.count;) {
    const std::uint64_t left = outer.count - done;
    const std::uint64_t share = std::max<std::uint64_t>(1, left / site.workers);
    const std::uint64_t vertices = std::min<std::uint64_t>(site.workers, left / share);
    Section own = section;
    own.walk.begin += done * outer.stride;
    own.walk.levels.front().count = share;
    own.walk.levels.push_back({run, kNext});
    own.walk.normalize();
    const ZeroVertexShape shape{type, share * inner_runs, run};
    const auto& zero = types.get({type, shape.regions, run}, [&] { return zeroVertex(shape); });
    site.graph.addVertices(site.compute_set, {zero,
                                              part.tile,
                                              static_cast<std::uint32_t>(vertices),
                                              {{{own}, share * outer.stride.value()}}});
    done += vertices * share;
  }
}

}  // namespace

void addZero(Graph& graph, const Architecture& machine, const std::vector<Tensor>& tensors,
             const std::string& name, Program& program) {
  const ComputeSetId compute_set = graph.addComputeSet(name);
  const ZeroSite site{graph, compute_set, machine.workers_per_tile};
  ZeroTypes types;
  for (const TileSection& part : sectionsByTile(graph, tensors)) addVertices(site, part, types);
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
