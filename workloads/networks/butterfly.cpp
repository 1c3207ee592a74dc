// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/butterfly.h"

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/numbers.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

void forEachPair(const ButterflyShape& shape, std::uint64_t stride, std::uint64_t rows,
                 const std::function<void(const ButterflyPair&)>& use) {
  const std::uint64_t first = firstTwiddle(shape, stride);
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t q = 0; q < shape.features / (2 * stride); ++q) {
      const std::uint64_t set = shape.twiddles == Twiddles::Tied ? 0 : q;
      for (std::uint64_t j = 0; j < stride; ++j) {
        const std::uint64_t low = r * shape.features + q * 2 * stride + j;
        use({low, low + stride, first + (set * stride + j) * 4});
      }
    }
  }
}

void applyStage(const ButterflyShape& shape, std::uint64_t stride, const Values& twiddles,
                Values& rows) {
  forEachPair(shape, stride, rows.size() / shape.features, [&](const ButterflyPair& pair) {
    const double* t = twiddles.data() + pair.twiddle;
    const double sum = t[0] * rows[pair.low] + t[1] * rows[pair.high];
    rows[pair.high] = t[2] * rows[pair.low] + t[3] * rows[pair.high];
    rows[pair.low] = sum;
  });
}

Values butterflyReference(const ButterflyShape& shape, const Values& twiddles, Values rows) {
  for (const std::uint64_t stride : stridesOf(shape)) applyStage(shape, stride, twiddles, rows);
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
                           {shape_, pass_.stage_rows, twiddles, gradient}, site_.name, program)
          .twiddles;
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
