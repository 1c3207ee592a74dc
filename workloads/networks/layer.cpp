// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/layer.h"

#include "ipusim/error.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

Tensor Layer::addInput(const std::string& name, std::uint64_t inputs) {
  Tensor x = site_.graph.addVariable(site_.type, {site_.batch, inputs}, name, Lifetime::Always);
  site_.graph.mapLinearly(x, site_.machine);
  return x;
}

Tensor Layer::inputGradient(const Tensor& /*gradient*/, Program& /*program*/) {
  throw InternalError("layer " + site_.name + " has no gradient of its input");
}

const Tensor& Layer::addParameter(const std::string& name, const Shape& shape, ElementType type) {
  Tensor tensor = site_.graph.addVariable(type, shape, site_.name + "/" + name, Lifetime::Always);
  site_.graph.mapLinearly(tensor, site_.machine);
  parameters_.push_back({name, std::move(tensor)});
  return parameters_.back().tensor;
}

Tensor biasGradient(const LayerSite& site, const Tensor& bias, const Tensor& gradient,
                    Program& program) {
  const std::string name = site.name + "/biasGradient";
  const Tensor rows = consecutive(site.graph, site.machine, gradient, name + "/rows", program);
  const Tensor sums = sumRows(site.graph, site.machine, rows, {name}, program);
  return arrangedAs(site.graph, bias, sums, name + "/arranged", program);
}

std::uint64_t countOf(const Layer& layer) {
  std::uint64_t count = 0;
  for (const Parameter& parameter : layer.parameters()) count += parameter.tensor.elements();
  return count;
}

}  // namespace ipusim::workloads
