// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/networks/operations/windows/pooling.h"
#include "workloads/sources/onnx/onnx_site.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;

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

WindowMotion readMotion(const OnnxSite& site, const Shape& field, const Shape& window) {
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

/// Adds a bias of one element per channel, if the node has one.
Results withBias(const OnnxSite& site, NetworkTensorId y) {
  if (!site.has(2)) return {y};
  Shape shape{elementsOf(site.shape(2))};
  shape.resize(site.graph().shapeOf(y).size() - 1, 1);
  const NetworkTensorId bias = site.add("bias", reshape(shape), {site.operand(2)});
  return {site.add("add_bias", binary(models::BinaryOp::Add), {y, bias})};
}

std::uint64_t readGroups(const OnnxSite& site) {
  const std::int64_t groups = site.integer("group", 1);
  if (groups < 1) throw OperandError("groups from 1", fmt::format("{}", groups));
  return static_cast<std::uint64_t>(groups);
}

Results addConv(const OnnxSite& site) {
  const Shape field = fieldOf(site.shape(0));
  const Shape window = fieldOf(site.shape(1));
  ConvolutionShape shape{readMotion(site, field, window)};
  shape.groups = readGroups(site);
  return withBias(site, site.add(convolution(shape), {site.operand(0), site.operand(1)}));
}

Results addConvTranspose(const OnnxSite& site) {
  const Shape field = fieldOf(site.shape(0));
  const Shape window = fieldOf(site.shape(1));
  const ConvolutionShape shape{readMotion(site, field, window), readGroups(site)};
  if (site.textOf("auto_pad", "NOTSET") != "NOTSET" || site.integersOf("output_shape")) {
    throw OperandError("explicit pads", "auto_pad or output_shape");
  }
  const std::vector<std::uint64_t> extra = site.sizes("output_padding", field.size(), 0);
  Shape larger;
  for (std::size_t d = 0; d < field.size(); ++d) {
    const WindowMotion& motion = shape.motion;
    const std::uint64_t whole =
        (field[d] - 1) * motion.stride[d] + (window[d] - 1) * motion.dilation[d] + 1 + extra[d];
    const std::uint64_t padding = motion.padding_lower[d] + motion.padding_upper[d];
    if (padding >= whole) {
      throw OperandError(fmt::format("pads below {} in all", whole), fmt::format("{}", padding));
    }
    larger.push_back(whole - padding);
  }
  return withBias(
      site, site.add(transposedConvolution(shape, larger), {site.operand(0), site.operand(1)}));
}

Results addPool(const OnnxSite& site, PoolingFunction function) {
  const Shape field = fieldOf(site.shape(0));
  const Shape window = site.sizes("kernel_shape", field.size(), 1);
  if (site.integer("ceil_mode", 0) != 0) throw OperandError("ceil_mode 0", "1");
  return {
      site.add(pooling({function, window, readMotion(site, field, window)}), {site.operand(0)})};
}

Results addMaxPool(const OnnxSite& site) {
  return addPool(site, PoolingFunction::Maximum);
}

Results addAveragePool(const OnnxSite& site) {
  const bool counts_padding = site.integer("count_include_pad", 0) != 0;
  return addPool(site, counts_padding ? PoolingFunction::AveragePadded : PoolingFunction::Average);
}

Results addGlobalPool(const OnnxSite& site) {
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < fieldOf(site.shape(0)).size(); ++d) axes.push_back(d + 2);
  const auto function =
      site.operatorName() == "GlobalMaxPool" ? ReductionFunction::Maximum : ReductionFunction::Mean;
  return {site.add(reduce(function, axes, ReducedAxes::Kept), {site.operand(0)})};
}

Results addMatMul(const OnnxSite& site) {
  return {site.add(matmul(), {site.operand(0), site.operand(1)})};
}

Results addGemm(const OnnxSite& site) {
  const auto form = [&](const char* attribute) {
    return site.integer(attribute, 0) != 0 ? ProductOperand::Transposed : ProductOperand::Plain;
  };
  const MatmulForm product{form("transA"), form("transB")};
  NetworkTensorId y = site.add(matmul(product), {site.operand(0), site.operand(1)});
  const double alpha = site.realOf("alpha", 1);
  if (alpha != 1) y = site.add("alpha", scale(alpha), {y});
  if (!site.has(2)) return {y};
  NetworkTensorId bias = site.operand(2);
  const double beta = site.realOf("beta", 1);
  if (beta != 1) bias = site.add("beta", scale(beta), {bias});
  return {site.add("add_bias", binary(models::BinaryOp::Add), {y, bias})};
}

Results addBatchNorm(const OnnxSite& site) {
  const double epsilon = site.realOf("epsilon", 1e-5);
  const NetworkTensorId x = site.operand(0);
  if (site.isTraining()) {
    const NormShape shape{NormKind::Batch, 1, epsilon};
    return {site.addNode(normalisation(shape), {x, site.operand(1), site.operand(2)}).front()};
  }
  return {site.add(batchNormInference(epsilon),
                   {x, site.operand(1), site.operand(2), site.statistic(3), site.statistic(4)})};
}

Results addInstanceNorm(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  if (shape.size() < 3) throw OperandError("a tensor (batch, channels, field...)", textOf(shape));
  const NormShape norm{NormKind::Group, shape[1], site.realOf("epsilon", 1e-5)};
  return {site.addNode(normalisation(norm), {site.operand(0), site.operand(1), site.operand(2)})
              .front()};
}

Results addGroupNorm(const OnnxSite& site) {
  const std::int64_t groups = site.integer("num_groups", 1);
  if (groups < 1) throw OperandError("num_groups from 1", fmt::format("{}", groups));
  const NormShape norm{NormKind::Group, static_cast<std::uint64_t>(groups),
                       site.realOf("epsilon", 1e-5)};
  return {site.addNode(normalisation(norm), {site.operand(0), site.operand(1), site.operand(2)})
              .front()};
}

Results addLayerNorm(const OnnxSite& site) {
  const NormShape norm{NormKind::Layer, 1, site.realOf("epsilon", 1e-5)};
  const NetworkTensorId scale = site.operand(1);
  const TensorType type = site.graph()[scale].type;
  const NetworkTensorId bias =
      site.has(2) ? site.operand(2) : site.add("bias", constant(type.shape, 0, type.type), {});
  return site.addNode(normalisation(norm), {site.operand(0), scale, bias});
}

/// Before opset 13, the dimensions from the axis on are one.
NetworkTensorId withLastAxis(const OnnxSite& site, OperationPointer (*make)(std::size_t)) {
  const Shape shape = site.shape(0);
  if (shape.empty()) throw OperandError("at least one dimension", textOf(shape));
  const bool is_flat = site.opset() < 13;
  const std::size_t axis = site.axis(site.integer("axis", is_flat ? 1 : -1), shape.size());
  if (!is_flat || axis + 1 == shape.size()) return site.add(make(axis), {site.operand(0)});
  Shape flat{1, 1};
  for (std::size_t d = 0; d < shape.size(); ++d) flat[d < axis ? 0 : 1] *= shape[d];
  const NetworkTensorId rows = site.add("flat", reshape(flat), {site.operand(0)});
  return site.add("shape", reshape(shape), {site.add(make(1), {rows})});
}

Results addSoftmax(const OnnxSite& site) {
  return {withLastAxis(site, softmax)};
}

Results addLogSoftmax(const OnnxSite& site) {
  return {withLastAxis(site, logSoftmax)};
}

Results addDropout(const OnnxSite& site) {
  constexpr double kDefaultRate = 0.5;
  const double rate = site.scalar(1).value_or(site.realOf("ratio", kDefaultRate));
  if (!site.isTraining() || rate <= 0) return {site.operand(0)};
  if (rate >= 1) throw OperandError("a ratio below 1", fmt::format("{}", rate));
  return site.addNode(dropout(rate, site.graph().nodes().size()), {site.operand(0)});
}

Results addGelu(const OnnxSite& site) {
  const std::string form = site.textOf("approximate", "none");
  if (form != "none" && form != "tanh") {
    throw OperandError("approximate none or tanh", inQuotes(form));
  }
  const auto function = form == "tanh" ? UnaryFunction::GeluTanh : UnaryFunction::Gelu;
  return {site.add(unary(function), {site.operand(0)})};
}

Results addSwish(const OnnxSite& site) {
  if (site.realOf("alpha", 1) != 1) throw OperandError("alpha 1", "another one");
  return {site.add(unary(UnaryFunction::Silu), {site.operand(0)})};
}

/// Sums of rows with equal indices into the first dimension, which is all that the library's
/// multiUpdateAdd does.
Results addScatter(const OnnxSite& site) {
  if (site.textOf("reduction", "none") != "add") {
    throw OperandError("the reduction add", inQuotes(site.textOf("reduction", "none")));
  }
  const Shape table = site.shape(0);
  const Shape index = site.shape(1);
  if (index.size() != 2 || index[1] != 1) throw OperandError("indices (rows, 1)", textOf(index));
  const Shape flat{table.front(), elementsOf(table) / table.front()};
  const NetworkTensorId numbers = site.add("indices", reshape({index[0]}), {site.operand(1)});
  const NetworkTensorId rows = site.add("rows", reshape({index[0], flat[1]}), {site.operand(2)});
  const NetworkTensorId sums = site.add("sums", sumByIndex(flat[0]), {numbers, rows});
  const NetworkTensorId shaped = site.add("shape", reshape(table), {sums});
  return {site.add(binary(models::BinaryOp::Add), {site.operand(0), shaped})};
}

}  // namespace

const std::vector<OnnxOperator>& onnxLayers() {
  static const std::vector<OnnxOperator> kOperators{
      {"AveragePool", addAveragePool},
      {"BatchNormalization", addBatchNorm},
      {"Conv", addConv},
      {"ConvTranspose", addConvTranspose},
      {"Dropout", addDropout},
      {"Gelu", addGelu},
      {"Gemm", addGemm},
      {"GlobalAveragePool", addGlobalPool},
      {"GlobalMaxPool", addGlobalPool},
      {"GroupNormalization", addGroupNorm},
      {"InstanceNormalization", addInstanceNorm},
      {"LayerNormalization", addLayerNorm},
      {"LogSoftmax", addLogSoftmax},
      {"MatMul", addMatMul},
      {"MaxPool", addMaxPool},
      {"ScatterND", addScatter},
      {"Softmax", addSoftmax},
      {"Swish", addSwish},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
