// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/layer_site.h"

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"

namespace ipusim::workloads {

namespace {

std::string joined(const std::string& name, const std::string& part) {
  return part.empty() ? name : name + "/" + part;
}

}  // namespace

NetworkTensorId LayerSite::add(const std::string& part, OperationPointer operation,
                               const std::vector<NetworkTensorId>& operands) const {
  return graph.add(joined(name, part), std::move(operation), operands);
}

NetworkTensorId LayerSite::source(const std::string& part, const Shape& source_shape,
                                  TensorRole role) const {
  return graph.addSource(joined(name, part), {source_shape, type}, role);
}

NetworkTensorId LayerSite::linear(const std::string& part, NetworkTensorId from,
                                  std::uint64_t outputs, bool has_bias) const {
  const std::uint64_t inputs = graph.shapeOf(from).back();
  const std::string prefix = part.empty() ? "" : part + "/";
  const NetworkTensorId y =
      add(part, matmul(), {from, parameter(prefix + "weights", {inputs, outputs})});
  return has_bias ? withBias(part, y) : y;
}

NetworkTensorId LayerSite::withBias(const std::string& part, NetworkTensorId y) const {
  const std::string prefix = part.empty() ? "" : part + "/";
  return add(prefix + "add_bias", binary(models::BinaryOp::Add),
             {y, parameter(prefix + "bias", {graph.shapeOf(y).back()})});
}

}  // namespace ipusim::workloads
