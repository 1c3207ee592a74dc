// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/lowering/node_lowering.h"

#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

std::optional<Tensor> NodeLowering::place(std::size_t /*operand*/,
                                          const std::vector<std::optional<Tensor>>& /*known*/) {
  return std::nullopt;
}

Tensor NodeLowering::inOneVariable(const Tensor& tensor, const std::string& part,
                                   Program& program) {
  if (viewsOneVariable(site_.graph, tensor)) return tensor;
  Tensor copy = site_.graph.addVariable(tensor.type(), tensor.shape(), step(part));
  site_.graph.mapLinearly(copy, site_.machine);
  program.add(site_.graph.copy(tensor, copy, step(part)));
  return copy;
}

Tensor NodeLowering::alike(const Tensor& like, const Tensor& tensor, const std::string& part,
                           Program& program) {
  Graph& graph = site_.graph;
  if (viewsOneVariable(graph, tensor) && lieAlike(graph, like, tensor)) return tensor;
  Tensor copy = addAlike(graph, like, tensor.type(), step(part));
  program.add(graph.copy(tensor, copy, step(part)));
  return copy;
}

Tensor NodeLowering::kept(const Tensor& tensor, Program& program) {
  if (site_.lifetime == Lifetime::Temporary) return tensor;
  Tensor copy =
      site_.graph.addVariable(tensor.type(), tensor.shape(), step("kept"), Lifetime::Always);
  site_.graph.mapLinearly(copy, site_.machine);
  program.add(site_.graph.copy(tensor, copy, step("kept")));
  return copy;
}

}  // namespace ipusim::workloads
