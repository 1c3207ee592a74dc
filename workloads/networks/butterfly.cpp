// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/butterfly.h"

#include "workloads/networks/numbers.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

/// Applies the matrix of one stage, in place, to the row that begins at `begin`.
void applyStage(const ButterflyShape& shape, std::uint64_t stride, const Values& twiddles,
                std::uint64_t begin, Values& rows) {
  const std::uint64_t first = firstTwiddle(shape, stride);
  for (std::uint64_t q = 0; q < shape.features / (2 * stride); ++q) {
    const std::uint64_t set = shape.twiddles == Twiddles::Tied ? 0 : q;
    for (std::uint64_t j = 0; j < stride; ++j) {
      const double* t = twiddles.data() + first + (set * stride + j) * 4;
      double& low = rows[begin + q * 2 * stride + j];
      double& high = rows[begin + q * 2 * stride + stride + j];
      const double sum = t[0] * low + t[1] * high;
      high = t[2] * low + t[3] * high;
      low = sum;
    }
  }
}

}  // namespace

Values butterflyReference(const ButterflyShape& shape, const Values& twiddles, Values rows) {
  for (std::uint64_t begin = 0; begin < rows.size(); begin += shape.features) {
    for (const std::uint64_t stride : stridesOf(shape)) {
      applyStage(shape, stride, twiddles, begin, rows);
    }
  }
  return rows;
}

ButterflyLayer::ButterflyLayer(const LayerSite& site, const ButterflyShape& shape, bool has_bias)
    : Layer(site, {shape.features, shape.features, has_bias}), shape_(shape), has_bias_(has_bias) {
  addParameter("twiddles", twiddleShape(shape));
  if (has_bias) addParameter("bias", {shape.features});
}

Tensor ButterflyLayer::forward(const Tensor& x, Lifetime result, Program& program) {
  const ButterflyOperands operands{
      shape_, consecutive(site_.graph, site_.machine, x, site_.name + "/rows", program),
      parameters_.front().tensor};
  pass_ = addButterfly(site_.graph, site_.machine, operands, {site_.name, result}, program);
  if (has_bias_) {
    addBias(site_.graph, pass_.result, parameters_.back().tensor, site_.name + "/Add", program);
  }
  return pass_.result;
}

std::vector<Tensor> ButterflyLayer::backward(const Tensor& gradient, Program& program) {
  const Tensor& twiddles = parameters_.front().tensor;
  const Tensor sums =
      addButterflyGradient(site_.graph, site_.machine,
                           {shape_, pass_.stage_rows, twiddles, gradient}, site_.name, program);
  std::vector<Tensor> gradients{
      arrangedAs(site_.graph, twiddles, sums, site_.name + "/twiddleGradient/arranged", program)};
  if (has_bias_) {
    gradients.push_back(biasGradient(site_, parameters_.back().tensor, gradient, program));
  }
  return gradients;
}

Values ButterflyLayer::reference(const std::vector<Values>& parameters, const Values& x) const {
  Values y = butterflyReference(shape_, parameters.front(), x);
  if (has_bias_) addToRows(parameters.back(), y);
  return y;
}

Flops ButterflyLayer::forwardFlops() const {
  // A stage takes two products and a sum per element.
  const std::uint64_t of_element = 3 * stridesOf(shape_).size() + (has_bias_ ? 1 : 0);
  return Flops(of_element * site_.batch * shape_.features);
}

}  // namespace ipusim::workloads
