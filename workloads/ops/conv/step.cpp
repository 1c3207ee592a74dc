// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/step.h"

#include <algorithm>

#include "workloads/ops/conv/layout.h"
#include "workloads/ops/conv/planner/transforms.h"
#include "workloads/ops/conv/reshaping.h"

namespace ipusim::workloads {

namespace {

Tensor dilated(const Tensor& result, const ConvPlan& plan, std::uint32_t dim, const Tensor& zero) {
  const ConvDim& canonical = plan.params.dims[dim - plan.transforms.extra_dims];
  const std::size_t at = kConvField + dim;
  const auto zeros = [&](std::uint64_t count) {
    Shape shape = result.shape();
    shape[at] = count;
    return zerosOf(zero, shape);
  };
  std::vector<Tensor> parts;
  if (canonical.output.pad_lower > 0) parts.push_back(zeros(canonical.output.pad_lower));
  for (std::uint64_t i = 0; i < result.shape()[at]; ++i) {
    if (i > 0) parts.push_back(zeros(canonical.input.dilation - 1));
    parts.push_back(result.slice(i, i + 1, at));
  }
  if (canonical.output.pad_upper > 0) parts.push_back(zeros(canonical.output.pad_upper));
  return concat(parts, at);
}

/// Channels of one of `steps` steps of whole grains.
std::uint64_t channelsOfStep(std::uint64_t channels, std::uint64_t grain, std::uint32_t steps) {
  if (steps == 1) return channels;
  const std::uint64_t whole = std::min(grain, channels);
  return ceilDiv<std::uint64_t>(ceilDiv(channels, whole), steps) * whole;
}

}  // namespace

ConvPlan stepOf(const ConvPlan& plan) {
  ConvPlan step = plan;
  step.params = swappedAsTold(plan.params, plan.transforms);
  step.params.in_chans = channelsOfStep(step.params.in_chans, plan.vertex.in_chans_per_group,
                                        plan.partition.in_chans_serial);
  step.params.out_chans = channelsOfStep(step.params.out_chans, plan.vertex.partial_chans_per_group,
                                         plan.partition.out_chans_serial);
  step.transforms.extra_dims = 0;
  step.transforms.dilate_after.clear();
  step.transforms.swap = false;
  step.transformed = transformedConv(step.params, step.transforms).params;
  step.partition.in_chans_serial = 1;
  step.partition.out_chans_serial = 1;
  return step;
}

Tensor withExtraDims(Tensor tensor, const ConvTransforms& transforms) {
  for (std::uint32_t d = 0; d < transforms.extra_dims; ++d) tensor = withDim(tensor, kConvField);
  return tensor;
}

Tensor withoutExtraDims(Tensor tensor, const ConvTransforms& transforms) {
  for (std::uint32_t d = 0; d < transforms.extra_dims; ++d) tensor = withoutDim(tensor, kConvField);
  return tensor;
}

ConvOperands oriented(ConvOperands operands, const ConvTransforms& transforms) {
  operands = {withExtraDims(operands.input, transforms),
              withExtraDims(operands.weights, transforms)};
  if (!transforms.swap) return operands;
  return {exchanged(operands.weights), exchanged(operands.input)};
}

Tensor withoutOrientation(Tensor result, const ConvPlan& plan, const Tensor& zero) {
  const ConvTransforms& transforms = plan.transforms;
  if (transforms.swap) result = exchanged(result);
  for (const std::uint32_t dim : transforms.dilate_after) {
    result = dilated(result, plan, dim, zero);
  }
  return withoutExtraDims(result, transforms);
}

Tensor SerialDim::part(const Tensor& tensor, std::uint32_t index, const Tensor& zero) const {
  if (steps == 1) return tensor;
  return padded(tensor, dim, steps * size, zero).slice(index * size, (index + 1) * size, dim);
}

}  // namespace ipusim::workloads
