// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/circulant.h"

#include "ipusim/error.h"
#include "workloads/networks/product.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/numbers.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

/// Elements that were looked up one by one, as a vector in the order of storage: in pieces by tile.
Tensor asVector(const Graph& graph, const Tensor& elements) {
  std::uint64_t next = 0;
  for (const Section& section : elements.view()) {
    check(section.begin() == next && section.end() == next + section.elements(),
          "looked-up elements one after the other");
    next = section.end();
  }
  return storageOf(graph, elements);
}

}  // namespace

RowNumbers circulantIndices(std::uint64_t features) {
  return {features * features, [features](std::uint64_t element) {
            const std::uint64_t row = element / features;
            const std::uint64_t column = element % features;
            return (features + row - column) % features;
          }};
}

CirculantLayer::CirculantLayer(const LayerSite& site, const CirculantShape& shape)
    : Layer(site, {shape.features, shape.features, true}),
      shape_(shape),
      indices_(addRowIndices(site.graph, site.machine, circulantIndices(shape.features),
                             site.name + "/indices")) {
  addParameter("c", {shape.features});
  addParameter("bias", {shape.features});
}

Tensor CirculantLayer::forward(const Tensor& x, Lifetime result, Program& program) {
  const std::uint64_t n = shape_.features;
  x_ = x;
  const Tensor elements =
      gatherRows(site_.graph, site_.machine, {parameters_[0].tensor.reshape({n, 1}), indices_},
                 site_.name + "/gather", program);
  const Tensor matrix = asVector(site_.graph, elements).reshape({1, n, n});
  Tensor y =
      addProduct(site_, shape_.options,
                 {x.reshape({1, site_.batch, n}), matrix.dimShuffle({0, 2, 1})}, result, program)
          .reshape({site_.batch, n});
  addBias(site_.graph, y, parameters_[1].tensor, site_.name + "/Add", program);
  return y;
}

std::vector<Tensor> CirculantLayer::backward(const Tensor& gradient, Program& program) {
  Graph& graph = site_.graph;
  const std::uint64_t n = shape_.features;
  MatmulProblem options = shape_.options;
  options.pass = ConvPass::FcTrainingWu;
  const LayerSite update = within(site_, "matrixGradient");
  const Tensor transposed = addProduct(
      update, options,
      {x_.dimShuffle({1, 0}).reshape({1, n, site_.batch}), gradient.reshape({1, site_.batch, n})},
      Lifetime::Temporary, program);
  const Tensor matrix = consecutive(graph, site_.machine, transposed.dimShuffle({0, 2, 1}),
                                    update.name + "/rows", program);
  const std::string scatter = site_.name + "/scatter";
  const Tensor sums = scatterAddRows(graph, site_.machine,
                                     {matrix.reshape({n * n, 1}), indices_, n}, {scatter}, program);
  return {
      arrangedAs(graph, parameters_[0].tensor, sums.reshape({n}), scatter + "/arranged", program),
      biasGradient(site_, parameters_[1].tensor, gradient, program)};
}

Values CirculantLayer::reference(const std::vector<Values>& parameters, const Values& x) const {
  const std::uint64_t n = shape_.features;
  Values transposed(n * n);
  for (std::uint64_t j = 0; j < n; ++j) {
    for (std::uint64_t i = 0; i < n; ++i) transposed[j * n + i] = parameters[0][(n + i - j) % n];
  }
  Values y = multiplied(x, transposed, n, n);
  addToRows(parameters[1], y);
  return y;
}

Flops CirculantLayer::forwardFlops() const {
  return Flops(site_.batch) * shape_.features * (2 * shape_.features + 1);
}

MatmulProblem CirculantLayer::problem() const {
  MatmulProblem problem = shape_.options;
  problem.m = site_.batch;
  problem.k = shape_.features;
  problem.n = shape_.features;
  return problem;
}

}  // namespace ipusim::workloads
