// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/fused_butterfly.h"

#include "ipusim/error.h"
#include "workloads/ops/elementwise/bias.h"

namespace ipusim::workloads {

FusedButterflyLayer::FusedButterflyLayer(const LayerSite& site, const ButterflyShape& shape,
                                         bool has_bias)
    : ButterflyLayer(site, shape, has_bias),
      grid_(planButterfly(site.machine, shape, site.batch, site.type)) {}

Tensor FusedButterflyLayer::addInput(const std::string& name, std::uint64_t inputs) {
  check(inputs == grid_.features, "as many inputs as features");
  return addButterflyRows(site_.graph, grid_, site_.type, {name, Lifetime::Always});
}

Tensor FusedButterflyLayer::forward(const Tensor& x, Lifetime result, Program& program) {
  Tensor y = addFusedButterfly(site_.graph, grid_, {shape_, x, parameters_.front().tensor},
                               {site_.name, result}, program);
  if (has_bias_) {
    addBias(site_.graph, y, parameters_.back().tensor, site_.name + "/Add", program);
  }
  return y;
}

std::vector<Tensor> FusedButterflyLayer::backward(const Tensor& /*gradient*/,
                                                  Program& /*program*/) {
  throw InternalError("a fused butterfly has no backward pass");
}

}  // namespace ipusim::workloads
