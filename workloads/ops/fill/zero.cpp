// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/fill/zero.h"

#include <algorithm>
#include <memory>

#include "workloads/graph/mapping_index.h"
#include "workloads/vertices/fill.h"

namespace ipusim::workloads {

namespace {

constexpr VariableElements kNext(1);

/// Vertices that clear `section`, its runs shared between the workers.
void addVertices(Graph& graph, ComputeSetId compute_set, const TileSection& part,
                 models::ElementType type, std::uint32_t workers) {
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
    const std::uint64_t share = std::max<std::uint64_t>(1, left / workers);
    const std::uint64_t vertices = std::min<std::uint64_t>(workers, left / share);
    Section own = section;
    own.walk.begin += done * outer.stride;
    own.walk.levels.front().count = share;
    own.walk.levels.push_back({run, kNext});
    own.walk.normalize();
    graph.addVertices(compute_set, {std::make_shared<Zero>(type, share * inner_runs, run),
                                    part.tile,
                                    static_cast<std::uint32_t>(vertices),
                                    {{{own}, share * outer.stride.value()}}});
    done += vertices * share;
  }
}

}  // namespace

void addZero(Graph& graph, const models::Machine& machine, const std::vector<Tensor>& tensors,
             const std::string& name, Program& program) {
  const ComputeSetId compute_set = graph.addComputeSet(name);
  for (const TileSection& part : sectionsByTile(graph, tensors)) {
    const models::ElementType type = graph.variable(part.section.variable).type;
    addVertices(graph, compute_set, part, type, machine.workers_per_tile);
  }
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
