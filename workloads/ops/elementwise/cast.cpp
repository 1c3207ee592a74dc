// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/cast.h"

#include <memory>

#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

void addCast(Graph& graph, const Tensor& from, const Tensor& to, const std::string& name,
             Program& program) {
  mapAlike(graph, from, to);
  const ComputeSetId compute_set = graph.addComputeSet(name);
  TypeCache<std::uint64_t> types;  // by the number of elements of a share
  for (const auto& [tile, share] : sharesByTile(graph, from)) {
    const std::uint64_t elements = elementsOf(share);
    const auto& type = types.get(elements, [&] {
      return castVertex({from.type(), to.type(), Runs::one(elements)});
    });
    graph.addVertices(compute_set, {type, tile, 1, {{share}, {shareIn(to, share, from)}}});
  }
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
