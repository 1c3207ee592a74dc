// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dense.h"

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/numbers.h"

namespace ipusim::workloads {

namespace {

Tensor asGroup(const Tensor& matrix) {
  return matrix.reshape({1, matrix.shape()[0], matrix.shape()[1]});
}

MatmulProblem forwardProblem(const LayerSite& site, const DenseShape& shape) {
  MatmulProblem problem = shape.options;
  problem.m = site.batch;
  problem.k = shape.inputs;
  problem.n = shape.outputs;
  return problem;
}

}  // namespace

DenseLayer::DenseLayer(const LayerSite& site, const DenseShape& shape)
    : Layer(site, {shape.inputs, shape.outputs, shape.has_bias}),
      shape_(shape),
      problem_(forwardProblem(site, shape)),
      plan_(planMatmul(site.machine, problem_)),
      product_(site.graph, site.machine, plan_, site.name,
               {Lifetime::Temporary, Lifetime::Always}) {
  parameters_.push_back({"weights", product_.right().reshape({shape.inputs, shape.outputs})});
  if (shape.has_bias) addParameter("bias", {shape.outputs}, problem_.output);
}

MatmulProblem DenseLayer::passOf(ConvPass pass, std::uint64_t m, std::uint64_t k,
                                 std::uint64_t n) const {
  MatmulProblem problem = problem_;
  problem.pass = pass;
  problem.m = m;
  problem.k = k;
  problem.n = n;
  return problem;
}

Tensor DenseLayer::forward(const Tensor& x, Lifetime result, Program& program) {
  x_ = x;
  const Tensor left = asGroup(x);
  product_.arrange(&left, nullptr, program);
  Tensor y = product_.multiply(result, program).reshape({site_.batch, shape_.outputs});
  if (shape_.has_bias) {
    addBias(site_.graph, y, parameters_.back().tensor, site_.name + "/Add", program);
  }
  return y;
}

std::vector<Tensor> DenseLayer::backward(const Tensor& gradient, Program& program) {
  const MatmulProblem problem =
      passOf(ConvPass::FcTrainingWu, shape_.inputs, site_.batch, shape_.outputs);
  MatmulOp update(site_.graph, site_.machine, planMatmul(site_.machine, problem),
                  site_.name + "/weightGradient", {Lifetime::Temporary, Lifetime::Temporary});
  const Tensor inputs = asGroup(x_.dimShuffle({1, 0}));
  const Tensor group = asGroup(gradient);
  update.arrange(&inputs, &group, program);
  const Tensor weights = update.multiply(Lifetime::Temporary, program);
  std::vector<Tensor> gradients{
      product_.arrangedAsRight(weights, site_.name + "/weightGradient/arranged", program)
          .reshape({shape_.inputs, shape_.outputs})};
  if (shape_.has_bias) {
    gradients.push_back(biasGradient(site_, parameters_.back().tensor, gradient, program));
  }
  return gradients;
}

Tensor DenseLayer::inputGradient(const Tensor& gradient, Program& program) {
  const MatmulProblem problem =
      passOf(ConvPass::FcTrainingBwd, site_.batch, shape_.outputs, shape_.inputs);
  MatmulOp product(site_.graph, site_.machine, planMatmul(site_.machine, problem),
                   site_.name + "/inputGradient", {Lifetime::Temporary, Lifetime::Temporary});
  const Tensor left = asGroup(gradient);
  const Tensor right = asGroup(parameters_.front().tensor.dimShuffle({1, 0}));
  product.arrange(&left, &right, program);
  return product.multiply(Lifetime::Temporary, program).reshape({site_.batch, shape_.inputs});
}

Values DenseLayer::reference(const std::vector<Values>& parameters, const Values& x) const {
  Values y = multiplied(x, parameters.front(), shape_.inputs, shape_.outputs);
  if (shape_.has_bias) addToRows(parameters.back(), y);
  return y;
}

Flops DenseLayer::forwardFlops() const {
  return Flops(site_.batch) * shape_.outputs * (2 * shape_.inputs + (shape_.has_bias ? 1 : 0));
}

MakeLayer trainedDense(std::uint64_t inputs, std::uint64_t outputs) {
  return [=](const LayerSite& site) {
    MatmulProblem options;
    options.pass = ConvPass::FcTrainingFwd;
    return std::make_shared<DenseLayer>(site, DenseShape{inputs, outputs, true, options});
  };
}

}  // namespace ipusim::workloads
