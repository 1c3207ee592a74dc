// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/windows/pooling.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_windows.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

/// Padding by the word of `auto_pad`: the result has ceil(field / stride) positions.
void padAlike(const std::string& word, const Shape& field, const Shape& window,
              WindowMotion& motion) {
  for (std::size_t d = 0; d < field.size(); ++d) {
    const std::uint64_t stride = motion.stride[d];
    const std::uint64_t extent = (window[d] - 1) * motion.dilation[d] + 1;
    const std::uint64_t needed = (ceilDiv(field[d], stride) - 1) * stride + extent;
    const std::uint64_t padding = needed > field[d] ? needed - field[d] : 0;
    const std::uint64_t half = padding / 2;
    motion.padding_lower[d] = word == "SAME_LOWER" ? padding - half : half;
    motion.padding_upper[d] = padding - motion.padding_lower[d];
  }
}

/// Rounding positions up adds one where the last stride leaves a rest, unless that window would
/// start in the padding behind the field. The window then reaches beyond the padding by this much.
std::vector<std::uint64_t> reachBeyond(const Shape& field, const Shape& window,
                                       const WindowMotion& motion) {
  std::vector<std::uint64_t> beyond(field.size(), 0);
  for (std::size_t d = 0; d < field.size(); ++d) {
    const std::uint64_t whole = field[d] + motion.padding_lower[d] + motion.padding_upper[d];
    const std::uint64_t extent = (window[d] - 1) * motion.dilation[d] + 1;
    if (whole < extent) continue;
    const std::uint64_t rest = (whole - extent) % motion.stride[d];
    const std::uint64_t last = whole - extent - rest + motion.stride[d];
    if (rest != 0 && last < field[d] + motion.padding_lower[d]) {
      beyond[d] = motion.stride[d] - rest;
    }
  }
  return beyond;
}

/// By position: how many elements of the window lie in the field and its padding, but not beyond.
std::vector<double> countsWithin(const PoolingShape& pool, const Shape& field,
                                 const std::vector<std::uint64_t>& beyond) {
  const Shape positions = WindowedField{field, pool.window, pool.motion}.positions();
  std::vector<double> counts{1};
  for (std::size_t d = 0; d < field.size(); ++d) {
    const std::uint64_t end =
        field[d] + pool.motion.padding_lower[d] + pool.motion.padding_upper[d] - beyond[d];
    std::vector<double> next;
    for (const double count : counts) {
      for (std::uint64_t p = 0; p < positions[d]; ++p) {
        double inside = 0;
        for (std::uint64_t w = 0; w < pool.window[d]; ++w) {
          inside += p * pool.motion.stride[d] + w * pool.motion.dilation[d] < end ? 1 : 0;
        }
        next.push_back(count * inside);
      }
    }
    counts = std::move(next);
  }
  return counts;
}

struct PlannedPool {
  PoolingShape shape;
  std::vector<std::uint64_t> beyond;
};

PlannedPool readPool(const OnnxSite& site, PoolingFunction function) {
  const Shape field = fieldOf(site.shape(0));
  const Shape window = site.sizes("kernel_shape", field.size(), 1);
  PlannedPool pool{{function, window, onnxMotion(site, field, window)}, {}};
  pool.beyond.assign(field.size(), 0);
  if (site.isSet("ceil_mode")) {
    pool.beyond = reachBeyond(field, window, pool.shape.motion);
    for (std::size_t d = 0; d < field.size(); ++d) {
      pool.shape.motion.padding_upper[d] += pool.beyond[d];
    }
  }
  return pool;
}

Results addMaxPool(const OnnxSite& site) {
  if (site.hasResult(1)) {
    throw OperandError("the largest elements alone", "their indices too");
  }
  return {site.add(pooling(readPool(site, PoolingFunction::Maximum).shape), {site.operand(0)})};
}

/// Windows that reach beyond the padding have fewer elements to divide by than others.
Results addAveragePool(const OnnxSite& site) {
  const bool counts_padding = site.isSet("count_include_pad");
  const PlannedPool pool =
      readPool(site, counts_padding ? PoolingFunction::AveragePadded : PoolingFunction::Average);
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId y = site.add(pooling(pool.shape), {x});
  const bool is_beyond = std::any_of(pool.beyond.begin(), pool.beyond.end(),
                                     [](std::uint64_t beyond) { return beyond > 0; });
  if (!counts_padding || !is_beyond) return {y};
  const auto size = static_cast<double>(elementsOf(pool.shape.window));
  TensorValues factors = countsWithin(pool.shape, fieldOf(site.shape(0)), pool.beyond);
  for (double& factor : factors) factor = size / factor;
  Shape positions = fieldOf(site.shapeOf(y));
  positions.insert(positions.begin(), 2, 1);
  const NetworkTensorId scales =
      site.numbers("counts", {positions, site.typeOf(x)}, std::move(factors));
  return {OnnxMath(site).binary("counted", BinaryOp::Multiply, y, scales)};
}

std::vector<std::size_t> fieldAxes(const OnnxSite& site) {
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < fieldOf(site.shape(0)).size(); ++d) axes.push_back(d + 2);
  return axes;
}

Results addGlobalPool(const OnnxSite& site) {
  const auto function =
      site.operatorName() == "GlobalMaxPool" ? ReductionFunction::Maximum : ReductionFunction::Mean;
  return {site.add(reduce(function, fieldAxes(site), ReducedAxes::Kept), {site.operand(0)})};
}

/// (sum of |x|^p)^(1/p), of windows or of whole fields.
Results addLpPool(const OnnxSite& site) {
  const OnnxMath math(site);
  const bool is_global = site.operatorName() == "GlobalLpPool";
  const double power =
      site.opset() < 2 ? site.realOf("p", 2) : static_cast<double>(site.integer("p", 2));
  NetworkTensorId x = math.unary("absolute", UnaryFunction::Absolute, site.operand(0));
  if (power == 2) {
    x = math.square("power", x);
  } else if (power != 1) {
    x = math.number("power", BinaryOp::Power, x, power);
  }
  NetworkTensorId sum = x;
  if (is_global) {
    sum = site.add(reduce(ReductionFunction::Sum, fieldAxes(site), ReducedAxes::Kept), {x});
  } else {
    const PoolingShape pool = readPool(site, PoolingFunction::AveragePadded).shape;
    sum = math.times("sum", site.add(pooling(pool), {x}),
                     static_cast<double>(elementsOf(pool.window)));
  }
  if (power == 1) return {sum};
  if (power == 2) return {math.unary("root", UnaryFunction::SquareRoot, sum)};
  return {math.number("root", BinaryOp::Power, sum, 1 / power)};
}

/// x / (bias + alpha / size * sum of squares of neighbouring channels)^beta. The sum is that of a
/// window that moves over the channels.
Results addLocalResponseNorm(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const Shape shape = site.shape(0);
  if (shape.size() < 2) throw OperandError("a tensor (batch, channels, ...)", textOf(shape));
  const std::int64_t size = site.integer("size", 1);
  if (size < 1) throw OperandError("a size from 1", fmt::format("{}", size));
  const auto window = static_cast<std::uint64_t>(size);
  const std::uint64_t rest = elementsOf(shape) / (shape[0] * shape[1]);
  PoolingShape pool{PoolingFunction::AveragePadded, {window, 1}, WindowMotion::plain(2)};
  pool.motion.padding_lower[0] = (window - 1) / 2;
  pool.motion.padding_upper[0] = window - 1 - (window - 1) / 2;
  const NetworkTensorId seen =
      site.shaped("channels", math.square("square", x), {shape[0], 1, shape[1], rest});
  const NetworkTensorId means =
      site.shaped("means", site.add("window", pooling(pool), {seen}), shape);
  const NetworkTensorId base = math.plus(
      "bias", math.times("alpha", means, site.realOf("alpha", 1e-4)), site.realOf("bias", 1));
  const NetworkTensorId scale =
      math.number("beta", BinaryOp::Power, base, site.realOf("beta", 0.75));
  return {site.add(binary(BinaryOp::Divide), {x, scale})};
}

}  // namespace

WindowMotion onnxMotion(const OnnxSite& site, const Shape& field, const Shape& window) {
  const std::size_t dimensions = field.size();
  if (window.size() != dimensions) {
    throw OperandError(fmt::format("a window of {} dimensions", dimensions),
                       fmt::format("one of {}", window.size()));
  }
  WindowMotion motion = WindowMotion::plain(dimensions);
  motion.stride = site.sizes("strides", dimensions, 1);
  motion.dilation = site.sizes("dilations", dimensions, 1);
  const auto has_zero = [](const std::vector<std::uint64_t>& sizes) {
    return std::find(sizes.begin(), sizes.end(), 0U) != sizes.end();
  };
  if (has_zero(motion.stride) || has_zero(motion.dilation) || has_zero(window)) {
    throw OperandError("strides, dilations and windows from 1", "0");
  }
  const std::string word = site.textOf("auto_pad", "NOTSET");
  if (word == "SAME_UPPER" || word == "SAME_LOWER") {
    padAlike(word, field, window, motion);
  } else if (word == "NOTSET") {
    const std::vector<std::uint64_t> pads = site.sizes("pads", 2 * dimensions, 0);
    const auto middle = pads.begin() + static_cast<std::ptrdiff_t>(dimensions);
    motion.padding_lower.assign(pads.begin(), middle);
    motion.padding_upper.assign(middle, pads.end());
  } else if (word != "VALID") {
    throw OperandError("auto_pad NOTSET, SAME_UPPER, SAME_LOWER or VALID", inQuotes(word));
  }
  return motion;
}

const std::vector<OnnxOperator>& onnxPooling() {
  static const std::vector<OnnxOperator> kOperators{
      {"AveragePool", addAveragePool}, {"GlobalAveragePool", addGlobalPool},
      {"GlobalLpPool", addLpPool},     {"GlobalMaxPool", addGlobalPool},
      {"LRN", addLocalResponseNorm},   {"LpPool", addLpPool},
      {"MaxPool", addMaxPool},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
