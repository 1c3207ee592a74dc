// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/sources/onnx/onnx_site.h"
#include "workloads/sources/onnx/onnx_windows.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;

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

/// Whether one window covers the whole field, so that each result is a sum over all elements.
bool coversField(const ConvolutionShape& shape, const Shape& field, const Shape& window) {
  const WindowMotion plain = WindowMotion::plain(field.size());
  return shape.groups == 1 && window == field &&
         shape.motion.padding_lower == plain.padding_lower &&
         shape.motion.padding_upper == plain.padding_upper;
}

/// A product of (batch, channels field) and the weights, as a fully connected layer has it.
Results addAsProduct(const OnnxSite& site) {
  const Shape& kernel = site.shape(1);
  const std::uint64_t inputs = elementsOf(kernel) / kernel[0];
  const NetworkTensorId rows = site.shaped("rows", site.operand(0), {site.shape(0)[0], inputs});
  const auto parameter = site.relaid("weights", 1, {inputs, kernel[0]});
  NetworkTensorId y =
      parameter ? site.add(matmul(), {rows, *parameter})
                : site.add(matmul({ProductOperand::Plain, ProductOperand::Transposed}),
                           {rows, site.shaped("weights", site.operand(1), {kernel[0], inputs})});
  if (site.has(2)) {
    y = site.add("add_bias", binary(models::BinaryOp::Add),
                 {y, site.shaped("bias", site.operand(2), {kernel[0]})});
  }
  Shape shape = site.shape(0);
  std::fill(shape.begin() + 1, shape.end(), 1);
  shape[1] = kernel[0];
  return {site.shaped("field", y, shape)};
}

Results addConv(const OnnxSite& site) {
  const Shape field = fieldOf(site.shape(0));
  const Shape window = fieldOf(site.shape(1));
  ConvolutionShape shape{onnxMotion(site, field, window)};
  shape.groups = readGroups(site);
  if (coversField(shape, field, window) && site.shape(0)[1] == site.shape(1)[1]) {
    return addAsProduct(site);
  }
  return withBias(site, site.add(convolution(shape), {site.operand(0), site.operand(1)}));
}

Results addConvTranspose(const OnnxSite& site) {
  const Shape field = fieldOf(site.shape(0));
  const Shape window = fieldOf(site.shape(1));
  const ConvolutionShape shape{onnxMotion(site, field, window), readGroups(site)};
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

Results addLayerNorm(const OnnxSite& site) {
  const NormShape norm{NormKind::Layer, 1, site.realOf("epsilon", 1e-5)};
  const NetworkTensorId scale = site.operand(1);
  const TensorType type = site.graph()[scale].type;
  const NetworkTensorId bias =
      site.has(2) ? site.operand(2) : site.add("bias", constant(type.shape, 0, type.type), {});
  Results results = site.addNode(normalisation(norm), {site.operand(0), scale, bias});
  // Statistics keep the dimensions that they are of.
  const Shape& x = site.shape(0);
  const std::size_t axis = onnxAxis(site.integer("axis", -1), x.size());
  Shape statistic(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(axis));
  statistic.resize(x.size(), 1);
  for (std::size_t r = 1; r < results.size(); ++r) {
    if (site.hasResult(r)) results[r] = site.shaped("statistic", results[r], statistic);
  }
  return results;
}

/// Before opset 13, the dimensions from the axis on are one.
NetworkTensorId withLastAxis(const OnnxSite& site, OperationPointer (*make)(std::size_t)) {
  const Shape& shape = site.shape(0);
  if (shape.empty()) throw OperandError("at least one dimension", textOf(shape));
  const bool is_flat = site.opset() < 13;
  const std::size_t axis = onnxAxis(site.integer("axis", is_flat ? 1 : -1), shape.size());
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

}  // namespace

const std::vector<OnnxOperator>& onnxLayers() {
  static const std::vector<OnnxOperator> kOperators{
      {"BatchNormalization", addBatchNorm},
      {"Conv", addConv},
      {"ConvTranspose", addConvTranspose},
      {"Dropout", addDropout},
      {"Gemm", addGemm},
      {"InstanceNormalization", addInstanceNorm},
      {"LayerNormalization", addLayerNorm},
      {"LogSoftmax", addLogSoftmax},
      {"MatMul", addMatMul},
      {"Softmax", addSoftmax},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
