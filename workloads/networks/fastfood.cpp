// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/fastfood.h"

#include <numeric>
#include <random>
#include <utility>

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/broadcast_product.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/hadamard/hadamard.h"
#include "workloads/ops/numbers.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

std::uint64_t stagesOf(std::uint64_t features) {
  std::uint64_t stages = 0;
  while (std::uint64_t{1} << stages < features) ++stages;
  return stages;
}

void scaleRows(const Values& diagonal, Values& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] *= diagonal[i % diagonal.size()];
}

/// Permutes each row: element i of the result is element permutation[i] of the row.
Values permuted(const std::vector<std::uint64_t>& permutation, const Values& rows) {
  Values result;
  result.reserve(rows.size());
  for (std::size_t first = 0; first < rows.size(); first += permutation.size()) {
    for (const std::uint64_t source : permutation) result.push_back(rows[first + source]);
  }
  return result;
}

}  // namespace

std::vector<std::uint64_t> randomPermutation(std::uint64_t size, std::uint64_t seed) {
  // The standard fixes the bits of the generator, but not the result of std::shuffle.
  std::mt19937_64 generator(seed);
  std::vector<std::uint64_t> permutation(size);
  std::iota(permutation.begin(), permutation.end(), std::uint64_t{0});
  for (std::uint64_t left = size; left > 1; --left) {
    std::swap(permutation[left - 1], permutation[generator() % left]);
  }
  return permutation;
}

FastfoodLayer::FastfoodLayer(const LayerSite& site, const FastfoodShape& shape)
    : Layer(site, {shape.features, shape.features, true}),
      shape_(shape),
      permutation_(randomPermutation(shape.features, shape.seed)),
      indices_(addRowIndices(site.graph, site.machine, permutation_, site.name + "/permutation")) {
  for (const char* name : {"s", "g", "b", "bias"}) addParameter(name, {shape.features});
}

const Parameter& FastfoodLayer::parameterOf(Diagonal diagonal) const {
  return parameters_[static_cast<std::size_t>(diagonal)];
}

Tensor FastfoodLayer::scale(Diagonal diagonal, const Tensor& rows, Lifetime lifetime,
                            Program& program) {
  rows_.at(static_cast<std::size_t>(diagonal)) = rows;
  const Parameter& parameter = parameterOf(diagonal);
  return multiplyRows(site_.graph, site_.machine, {rows, parameter.tensor},
                      {site_.name + "/" + parameter.name, lifetime}, program)
      .reshape(rows.shape());
}

Tensor FastfoodLayer::forward(const Tensor& x, Lifetime result, Program& program) {
  Graph& graph = site_.graph;
  const Tensor rows = consecutive(graph, site_.machine, x, site_.name + "/rows", program);
  const Tensor first =
      addHadamard(graph, site_.machine, scale(Diagonal::B, rows, Lifetime::Temporary, program),
                  site_.name + "/first", program);
  const Tensor gathered = gatherRows(graph, site_.machine, {first.dimShuffle({1, 0}), indices_},
                                     site_.name + "/permute", program)
                              .dimShuffle({1, 0});
  const Tensor second =
      addHadamard(graph, site_.machine, scale(Diagonal::G, gathered, Lifetime::Temporary, program),
                  site_.name + "/second", program);
  Tensor y = scale(Diagonal::S, second, result, program);
  addBias(graph, y, parameters_.back().tensor, site_.name + "/Add", program);
  return y;
}

Tensor FastfoodLayer::diagonalGradient(Diagonal diagonal, const Tensor& gradient,
                                       Program& program) {
  Graph& graph = site_.graph;
  const Parameter& parameter = parameterOf(diagonal);
  const std::string name = site_.name + "/" + parameter.name + "Gradient";
  Tensor rows = rows_.at(static_cast<std::size_t>(diagonal));
  if (!isConsecutive(rows)) {
    rows = arrangedAs(graph, gradient, rows, name + "/rows", program);
  }
  const Shape line{gradient.elements()};
  const Tensor products = Elementwise(graph, site_.machine, program)
                              .binary(models::BinaryOp::Multiply, gradient.reshape(line),
                                      rows.reshape(line), name + "/Multiply", Lifetime::Temporary);
  const Tensor sums =
      sumRows(graph, site_.machine, products.reshape(gradient.shape()), {name}, program);
  return arrangedAs(graph, parameter.tensor, sums, name + "/arranged", program);
}

std::vector<Tensor> FastfoodLayer::backward(const Tensor& gradient, Program& program) {
  Graph& graph = site_.graph;
  std::vector<Tensor> gradients(parameters_.size());
  gradients[3] = biasGradient(site_, parameters_.back().tensor, gradient, program);
  const auto through = [&](Diagonal diagonal, const Tensor& from) {
    gradients[static_cast<std::size_t>(diagonal)] = diagonalGradient(diagonal, from, program);
    const Parameter& parameter = parameterOf(diagonal);
    return multiplyRows(graph, site_.machine, {from, parameter.tensor},
                        {site_.name + "/" + parameter.name + "Rows"}, program)
        .reshape(from.shape());
  };
  const Tensor second = addHadamardGradient(graph, site_.machine, through(Diagonal::S, gradient),
                                            site_.name + "/second", program);
  const Tensor permuted = through(Diagonal::G, second);
  const Tensor scattered =
      scatterAddRows(graph, site_.machine, {permuted.dimShuffle({1, 0}), indices_, shape_.features},
                     {site_.name + "/unpermute"}, program);
  const Tensor rows = consecutive(graph, site_.machine, scattered.dimShuffle({1, 0}),
                                  site_.name + "/unpermute/rows", program);
  const Tensor first =
      addHadamardGradient(graph, site_.machine, rows, site_.name + "/first", program);
  gradients[2] = diagonalGradient(Diagonal::B, first, program);
  return gradients;
}

Values FastfoodLayer::reference(const std::vector<Values>& parameters, const Values& x) const {
  Values rows = x;
  scaleRows(parameters[2], rows);
  transformHadamard(shape_.features, rows);
  rows = permuted(permutation_, rows);
  scaleRows(parameters[1], rows);
  transformHadamard(shape_.features, rows);
  scaleRows(parameters[0], rows);
  addToRows(parameters[3], rows);
  return rows;
}

Flops FastfoodLayer::forwardFlops() const {
  // Two transforms, three diagonals and the bias.
  return Flops(site_.batch * shape_.features * (2 * stagesOf(shape_.features) + 3 + 1));
}

}  // namespace ipusim::workloads
