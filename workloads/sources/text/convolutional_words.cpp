// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/networks/operations/windows/pooling.h"
#include "workloads/sources/text/statement_site.h"

namespace ipusim::workloads {

namespace {

const char* const kFieldWanted = "a tensor (batch, channels, field...)";

std::size_t fieldDimensions(const StatementSite& site) {
  site.expectDimensions(3, kFieldWanted);
  return site.shape().size() - 2;
}

/// The options stride, pad and dilation.
WindowMotion readMotion(StatementSite& site, const std::vector<std::uint64_t>& default_stride) {
  const std::size_t dimensions = default_stride.size();
  WindowMotion motion = WindowMotion::plain(dimensions);
  motion.stride = default_stride;
  if (const auto stride = site.arguments.sizesIfThere("stride", dimensions, 1)) {
    motion.stride = *stride;
  }
  motion.padding_lower = site.arguments.sizesOption("pad", dimensions, 0, 0);
  motion.padding_upper = motion.padding_lower;
  motion.dilation = site.arguments.sizesOption("dilation", dimensions, 1, 1);
  return motion;
}

Shape joined(Shape front, const Shape& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

/// Adds a bias of one element per channel.
NetworkTensorId withChannelBias(const StatementSite& site, NetworkTensorId y,
                                std::uint64_t channels) {
  Shape shape{channels};
  shape.resize(site.graph.shapeOf(y).size() - 1, 1);
  return site.add("add_bias", binary(models::BinaryOp::Add), {y, site.parameter("bias", shape)});
}

NetworkTensorId addConv(StatementSite& site) {
  const std::size_t dimensions = fieldDimensions(site);
  const std::uint64_t channels = site.shape()[1];
  const std::uint64_t outputs = site.arguments.wholeArgument("out channels");
  const Shape kernel = site.arguments.sizesArgument("kernel", dimensions);
  const std::vector<std::uint64_t> ones(dimensions, 1);
  ConvolutionShape shape{readMotion(site, ones), site.arguments.wholeOption("groups", 1)};
  const bool has_bias = site.arguments.flagOption("bias", true);
  if (channels % shape.groups != 0) {
    throw site.statement.error(fmt::format("groups that divide {} channels", channels),
                               fmt::format("{}", shape.groups));
  }
  const NetworkTensorId weights =
      site.parameter("weights", joined({outputs, channels / shape.groups}, kernel));
  const NetworkTensorId y = site.add("", convolution(shape), {site.x, weights});
  return has_bias ? withChannelBias(site, y, outputs) : y;
}

NetworkTensorId addConvTranspose(StatementSite& site) {
  const std::size_t dimensions = fieldDimensions(site);
  const std::uint64_t outputs = site.arguments.wholeArgument("out channels");
  const Shape kernel = site.arguments.sizesArgument("kernel", dimensions);
  const ConvolutionShape shape{readMotion(site, std::vector<std::uint64_t>(dimensions, 1))};
  const bool has_bias = site.arguments.flagOption("bias", true);
  Shape field;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const std::uint64_t extent = (kernel[d] - 1) * shape.motion.dilation[d] + 1;
    const std::uint64_t padding = shape.motion.padding_lower[d] + shape.motion.padding_upper[d];
    const std::uint64_t padded = (site.shape()[d + 2] - 1) * shape.motion.stride[d] + extent;
    if (padding >= padded) {
      throw site.statement.error(fmt::format("a padding below {} in all", padded),
                                 fmt::format("{}", padding));
    }
    field.push_back(padded - padding);
  }
  const NetworkTensorId weights =
      site.parameter("weights", joined({site.shape()[1], outputs}, kernel));
  const NetworkTensorId y = site.add("", transposedConvolution(shape, field), {site.x, weights});
  return has_bias ? withChannelBias(site, y, outputs) : y;
}

NetworkTensorId addPooling(StatementSite& site, PoolingFunction function) {
  const std::size_t dimensions = fieldDimensions(site);
  const Shape window = site.arguments.sizesArgument("window", dimensions);
  return site.add(pooling({function, window, readMotion(site, window)}));
}

NetworkTensorId addMaxPool(StatementSite& site) {
  return addPooling(site, PoolingFunction::Maximum);
}

NetworkTensorId addAveragePool(StatementSite& site) {
  return addPooling(site, PoolingFunction::Average);
}

NetworkTensorId addGlobalAveragePool(StatementSite& site) {
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < fieldDimensions(site); ++d) axes.push_back(d + 2);
  return site.add(reduce(ReductionFunction::Mean, axes, ReducedAxes::Removed));
}

/// A norm whose scale and bias have `scale` elements.
NetworkTensorId addNorm(StatementSite& site, const NormShape& norm, const Shape& scale) {
  return site.add("", normalisation(norm),
                  {site.x, site.parameter("scale", scale), site.parameter("bias", scale)});
}

NetworkTensorId addBatchNorm(StatementSite& site) {
  site.expectDimensions(2, "a tensor (batch, channels, ...)");
  const Shape channels{site.shape()[1]};
  if (site.mode == NetworkMode::Training) return addNorm(site, {NormKind::Batch}, channels);
  return site.add("", batchNormInference(NormShape{}.epsilon),
                  {site.x, site.parameter("scale", channels), site.parameter("bias", channels),
                   site.source("mean", channels, TensorRole::State),
                   site.source("variance", channels, TensorRole::State)});
}

NetworkTensorId addGroupNorm(StatementSite& site) {
  site.expectDimensions(2, "a tensor (batch, channels, ...)");
  return addNorm(site, {NormKind::Group, site.arguments.wholeArgument("groups")},
                 {site.shape()[1]});
}

NetworkTensorId addLayerNorm(StatementSite& site) {
  return addNorm(site, {NormKind::Layer}, {site.shape().back()});
}

NetworkTensorId addLinear(StatementSite& site) {
  const std::uint64_t outputs = site.readOutputs();
  return site.linear("", site.x, outputs, site.arguments.flagOption("bias", true));
}

NetworkTensorId addFlatten(StatementSite& site) {
  const std::uint64_t batch = site.shape().front();
  return site.add(reshape({batch, elementsOf(site.shape()) / batch}));
}

NetworkTensorId addDropout(StatementSite& site) {
  const double rate = site.arguments.realArgument("rate");
  if (rate < 0 || rate >= 1) {
    throw site.statement.error("a rate from 0 to below 1", fmt::format("{}", rate));
  }
  if (site.mode == NetworkMode::Inference || rate == 0) return site.x;
  // Each layer draws other numbers.
  return site.add(dropout(rate, site.graph.nodes().size()));
}

NetworkTensorId addSoftmax(StatementSite& site) {
  return site.add(softmax(site.shape().size() - 1));
}

NetworkTensorId addLogSoftmax(StatementSite& site) {
  return site.add(logSoftmax(site.shape().size() - 1));
}

}  // namespace

const std::vector<StatementWord>& convolutionalWords() {
  static const std::vector<StatementWord> kWords{
      {"average_pool", addAveragePool},
      {"batch_norm", addBatchNorm},
      {"conv", addConv},
      {"conv_transpose", addConvTranspose},
      {"dropout", addDropout},
      {"flatten", addFlatten},
      {"global_average_pool", addGlobalAveragePool},
      {"group_norm", addGroupNorm},
      {"layer_norm", addLayerNorm},
      {"linear", addLinear},
      {"log_softmax", addLogSoftmax},
      {"max_pool", addMaxPool},
      {"softmax", addSoftmax},
  };
  return kWords;
}

}  // namespace ipusim::workloads
