// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/low_rank.h"

#include "workloads/networks/product.h"

namespace ipusim::workloads {

LowRankLayer::LowRankLayer(const LayerSite& site, const LowRankShape& shape)
    : Layer(site, {shape.inputs, shape.outputs, true}),
      shape_(shape),
      narrow_(within(site, "h"), {shape.inputs, shape.rank, false, shape.options}),
      wide_(within(site, "g"), {shape.rank, shape.outputs, true, shape.options}) {
  parameters_ = {{"h", narrow_.parameters()[0].tensor},
                 {"g", wide_.parameters()[0].tensor},
                 {"bias", wide_.parameters()[1].tensor}};
}

Tensor LowRankLayer::forward(const Tensor& x, Lifetime result, Program& program) {
  return wide_.forward(narrow_.forward(x, Lifetime::Temporary, program), result, program);
}

std::vector<Tensor> LowRankLayer::backward(const Tensor& gradient, Program& program) {
  std::vector<Tensor> gradients = wide_.backward(gradient, program);
  const Tensor between = wide_.inputGradient(gradient, program);
  gradients.insert(gradients.begin(), narrow_.backward(between, program).front());
  return gradients;
}

Values LowRankLayer::reference(const std::vector<Values>& parameters, const Values& x) const {
  return wide_.reference({parameters[1], parameters[2]}, narrow_.reference({parameters[0]}, x));
}

Flops LowRankLayer::forwardFlops() const {
  return narrow_.forwardFlops() + wide_.forwardFlops();
}

std::vector<MatmulProblem> LowRankLayer::problems() const {
  return {narrow_.problem(), wide_.problem()};
}

}  // namespace ipusim::workloads
