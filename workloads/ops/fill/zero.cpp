// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/fill/zero.h"

#include <algorithm>
#include <memory>

#include "workloads/graph/mapping_index.h"
#include "workloads/vertices/data_movement.h"

namespace ipusim::workloads {

namespace {

/// Vertices that clear `section`, its runs shared between the workers.
void addVertices(Graph& graph, ComputeSetId compute_set, const TileSection& part,
                 models::ElementType type, std::uint32_t workers) {
  Section section = part.section;
  normalize(section.dims);
  if (section.dims.empty()) section.dims.push_back({1, 1});
  std::uint64_t run = 1;
  if (section.dims.back().stride == 1) {
    run = section.dims.back().count;
    section.dims.pop_back();
  }
  if (section.dims.empty()) section.dims.push_back({1, 0});
  const SectionDim outer = section.dims.front();
  const std::uint64_t inner_runs = elementsOf(section.dims) / outer.count;
  for (std::uint64_t done = 0; done < outer.count;) {
    const std::uint64_t left = outer.count - done;
    const std::uint64_t share = std::max<std::uint64_t>(1, left / workers);
    const std::uint64_t vertices = std::min<std::uint64_t>(workers, left / share);
    Section own = section;
    own.offset += done * outer.stride;
    own.dims.front().count = share;
    own.dims.push_back({run, 1});
    normalize(own.dims);
    graph.addVertices(compute_set, {shared(zeroVertex({type, share * inner_runs, run})),
                                    part.tile,
                                    static_cast<std::uint32_t>(vertices),
                                    {{{own}, share * outer.stride}}});
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
