// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/cast.h"

#include <memory>

#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/elementwise.h"

namespace ipusim::workloads {

void addCast(Graph& graph, const Tensor& from, const Tensor& to, const std::string& name,
             Program& program) {
  mapAlike(graph, from, to);
  const ComputeSetId compute_set = graph.addComputeSet(name);
  for (const auto& [tile, share] : sharesByTile(graph, from)) {
    auto type = shared(castVertex({from.type(), to.type(), Runs::one(elementsOf(share))}));
    graph.addVertices(compute_set,
                      {std::move(type), tile, 1, {{share}, {shareIn(to, share, from)}}});
  }
  program.add(execute(compute_set));
}

}  // namespace ipusim::workloads
