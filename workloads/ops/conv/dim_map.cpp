// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/dim_map.h"

#include <algorithm>

namespace ipusim::workloads {

namespace {

/// The position of an element is step * element + offset.
struct Line {
  std::int64_t step;
  std::int64_t offset;
};

Line lineOf(const OperandTransform& transform, std::uint64_t elements) {
  const std::int64_t dilation = signedCount(transform.dilation);
  const Line line{dilation,
                  signedCount(transform.pad_lower) - signedCount(transform.trunc_lower) * dilation};
  if (!transform.flip) return line;
  return {-line.step, signedCount(transform.sizeOf(elements)) - 1 - line.offset};
}

PositionRange leftOf(const OperandTransform& transform, std::uint64_t elements) {
  return {transform.trunc_lower, elements - transform.trunc_upper};
}

}  // namespace

DimMap mapOf(const ConvDim& dim) {
  const Line input = lineOf(dim.input, dim.field);
  const Line kernel = lineOf(dim.weights, dim.kernel);
  const std::int64_t stride = signedCount(dim.output.stride);
  const std::int64_t sign = input.step < 0 ? -1 : 1;
  DimMap map;
  map.out_step = sign * stride;
  map.kernel_step = sign * kernel.step;
  map.offset = sign * (signedCount(dim.output.trunc_lower) -
                       stride * signedCount(dim.output.pad_lower) + kernel.offset - input.offset);
  map.dilation = sign * input.step;
  map.inputs = leftOf(dim.input, dim.field);
  map.kernel = leftOf(dim.weights, dim.kernel);
  map.computed = dim.computedOutputs();
  return map;
}

std::optional<std::uint64_t> DimMap::inputOf(std::uint64_t output,
                                             std::uint64_t kernel_element) const {
  const auto holds = [](const PositionRange& range, std::uint64_t element) {
    return element >= range.begin && element < range.end;
  };
  if (!holds(computed, output) || !holds(kernel, kernel_element)) return std::nullopt;
  const std::int64_t position =
      out_step * signedCount(output) + kernel_step * signedCount(kernel_element) + offset;
  if (position < 0 || position % dilation != 0) return std::nullopt;
  const auto element = static_cast<std::uint64_t>(position / dilation);
  if (!holds(inputs, element)) return std::nullopt;
  return element;
}

std::optional<PositionRange> DimMap::inputsOf(const PositionRange& outputs,
                                              const PositionRange& kernel_elements) const {
  std::optional<PositionRange> range;
  for (std::uint64_t k = kernel_elements.begin; k < kernel_elements.end; ++k) {
    for (std::uint64_t o = outputs.begin; o < outputs.end; ++o) {
      const std::optional<std::uint64_t> element = inputOf(o, k);
      if (!element) continue;
      if (!range) range = PositionRange{*element, *element + 1};
      range->begin = std::min(range->begin, *element);
      range->end = std::max(range->end, *element + 1);
    }
  }
  return range;
}

}  // namespace ipusim::workloads
