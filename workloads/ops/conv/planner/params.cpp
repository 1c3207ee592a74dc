// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/planner/params.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "ipusim/units.h"

namespace ipusim::workloads {
namespace {

auto tied(const OperandTransform& t) {
  return std::tie(t.trunc_lower, t.trunc_upper, t.dilation, t.pad_lower, t.pad_upper, t.flip);
}

auto tied(const OutputTransform& t) {
  return std::tie(t.trunc_lower, t.trunc_upper, t.stride, t.pad_lower, t.pad_upper);
}

auto tied(const ConvDim& d) {
  return std::tie(d.field, d.kernel, d.input, d.weights, d.output);
}

auto tied(const ConvParams& p) {
  return std::tie(p.groups, p.batch, p.in_chans, p.out_chans, p.input, p.output, p.dims);
}

/// The raw position at which output `index`, which is no padding, begins.
std::uint64_t rawPosition(const OutputTransform& output, std::uint64_t index) {
  return (index - output.pad_lower) * output.stride + output.trunc_lower;
}

/// One operand of a dimension.
struct TransformedOperand {
  const OperandTransform& transform;
  std::uint64_t elements;
};

/// The element at `position`. Nothing at a zero, or outside.
std::optional<std::uint64_t> elementAt(const TransformedOperand& operand, std::uint64_t position) {
  const OperandTransform& t = operand.transform;
  const std::uint64_t size = t.sizeOf(operand.elements);
  if (position >= size) return std::nullopt;
  const std::uint64_t before_flip = t.flip ? size - 1 - position : position;
  if (before_flip < t.pad_lower || before_flip + t.pad_upper >= size) return std::nullopt;
  const std::uint64_t dilated = before_flip - t.pad_lower;
  if (dilated % t.dilation != 0) return std::nullopt;
  return dilated / t.dilation + t.trunc_lower;
}

/// Widens `range` to hold `element`.
void include(std::optional<PositionRange>& range, std::uint64_t element) {
  if (!range) {
    range = PositionRange{element, element + 1};
    return;
  }
  range->begin = std::min(range->begin, element);
  range->end = std::max(range->end, element + 1);
}

/// The input elements and kernel elements that meet in any output.
struct UsedElements {
  std::optional<PositionRange> inputs;
  std::optional<PositionRange> kernel;
};

UsedElements usedElements(const ConvDim& dim) {
  UsedElements used;
  const TransformedOperand input{dim.input, dim.field};
  for (std::uint64_t k = dim.weights.trunc_lower; k + dim.weights.trunc_upper < dim.kernel; ++k) {
    const PositionRange outputs = outputsOfKernelElement(dim, k);
    if (outputs.size() == 0) continue;
    include(used.kernel, k);
    const std::uint64_t position = dim.weights.positionOf(k, dim.kernel);
    // Inputs ascend or descend with outputs, so the first and the last output have the extremes.
    for (const std::uint64_t output : {outputs.begin, outputs.end - 1}) {
      include(used.inputs, *elementAt(input, rawPosition(dim.output, output) + position));
    }
  }
  return used;
}

/// The outputs of a dimension that are not known to be zero.
PositionRange nonZeroOutputs(const ConvDim& dim) {
  std::optional<PositionRange> range;
  for (std::uint64_t k = dim.weights.trunc_lower; k + dim.weights.trunc_upper < dim.kernel; ++k) {
    const PositionRange some = outputsOfKernelElement(dim, k);
    if (some.size() == 0) continue;
    include(range, some.begin);
    include(range, some.end - 1);
  }
  return range.value_or(PositionRange{});
}

/// Outputs that are zero become padding.
void padZeroOutputs(ConvDim& dim, const PositionRange& non_zero) {
  OutputTransform& out = dim.output;
  const std::uint64_t zeros_upper = dim.outputs() - non_zero.end;
  const std::uint64_t lower = non_zero.begin - std::min(non_zero.begin, out.pad_lower);
  const std::uint64_t upper = zeros_upper - std::min(zeros_upper, out.pad_upper);
  out.trunc_lower += lower * out.stride;
  out.pad_lower += lower;
  out.trunc_upper += upper * out.stride;
  out.pad_upper += upper;
}

/// Positions behind the last kept one are cut off.
void cutBehindLastOutput(ConvDim& dim) {
  OutputTransform& out = dim.output;
  const std::uint64_t kept = dim.rawOutputs() - out.trunc_lower - out.trunc_upper;
  const std::uint64_t behind = (kept - 1) % out.stride;
  out.trunc_upper += behind;
  if (kept - behind == 1) out.stride = 1;
}

/// Cuts off the elements outside `used`. Zeros take their place.
void cutUnused(OperandTransform& transform, std::uint64_t elements, const PositionRange& used) {
  const std::uint64_t upper = elements - used.end;
  const std::uint64_t more_lower = used.begin - std::min(used.begin, transform.trunc_lower);
  const std::uint64_t more_upper = upper - std::min(upper, transform.trunc_upper);
  transform.trunc_lower += more_lower;
  transform.pad_lower += more_lower * transform.dilation;
  transform.trunc_upper += more_upper;
  transform.pad_upper += more_upper * transform.dilation;
}

/// The padding that comes first, or last, after the flip.
std::uint64_t& firstPadding(OperandTransform& transform) {
  return transform.flip ? transform.pad_upper : transform.pad_lower;
}
std::uint64_t& lastPadding(OperandTransform& transform) {
  return transform.flip ? transform.pad_lower : transform.pad_upper;
}

void dropCommon(std::uint64_t& a, std::uint64_t& b, std::uint64_t most) {
  const std::uint64_t common = std::min({a, b, most});
  a -= common;
  b -= common;
}

/// Zeros that meet zeros add nothing, and zeros of the input may reach only positions that are cut
/// off.
void dropUselessPadding(ConvDim& dim) {
  OperandTransform& in = dim.input;
  OperandTransform& weights = dim.weights;
  dropCommon(firstPadding(in), firstPadding(weights), dim.kernelPositions() - 1);
  dropCommon(lastPadding(in), lastPadding(weights), dim.kernelPositions() - 1);
  dropCommon(firstPadding(in), dim.output.trunc_lower, dim.rawOutputs() - 1);
  dropCommon(lastPadding(in), dim.output.trunc_upper, dim.rawOutputs() - 1);
}

/// The order of one element does not matter, and nothing lies between its neighbours.
void simplifySingle(OperandTransform& transform, std::uint64_t elements) {
  if (transform.elementsLeft(elements) > 1) return;
  transform.dilation = 1;
  if (!transform.flip) return;
  transform.flip = false;
  std::swap(transform.pad_lower, transform.pad_upper);
}

void canonicalize(ConvDim& dim, const PositionRange& non_zero) {
  padZeroOutputs(dim, non_zero);
  cutBehindLastOutput(dim);
  const UsedElements used = usedElements(dim);
  cutUnused(dim.input, dim.field, *used.inputs);
  cutUnused(dim.weights, dim.kernel, *used.kernel);
  dropUselessPadding(dim);
  simplifySingle(dim.input, dim.field);
  simplifySingle(dim.weights, dim.kernel);
}

/// The convolution of one zero, whose outputs are all padding.
ConvDim zeroDim(const ConvDim& dim) {
  ConvDim zero;
  zero.field = dim.field;
  zero.kernel = dim.kernel;
  zero.input = {0, dim.field, 1, 1, 0, false};
  zero.weights = {0, dim.kernel, 1, 1, 0, false};
  zero.output = {0, 1, 1, 0, dim.outputs()};
  return zero;
}

/// The outputs whose product with kernel element `kernel` lies between the paddings of the input.
PositionRange outputsBetween(const ConvDim& dim, std::uint64_t kernel) {
  const OperandTransform& in = dim.input;
  const OutputTransform& out = dim.output;
  const std::uint64_t first = in.flip ? in.pad_upper : in.pad_lower;
  const std::uint64_t behind = dim.fieldPositions() - (in.flip ? in.pad_lower : in.pad_upper);
  const std::uint64_t shift = out.trunc_lower + dim.weights.positionOf(kernel, dim.kernel);
  // The number of outputs before `position`.
  const auto before = [&](std::uint64_t position) {
    return out.pad_lower + ceilDiv(position - std::min(position, shift), out.stride);
  };
  const PositionRange all = dim.computedOutputs();
  const std::uint64_t begin = std::max(all.begin, before(first));
  return {begin, std::max(begin, std::min(all.end, before(behind)))};
}

/// The gradient of the input along a dimension.
ConvDim backwardDim(const ConvDim& forward) {
  const std::uint64_t reach = forward.kernelPositions() - 1;
  const OutputTransform& out = forward.output;
  ConvDim dim;
  dim.field = forward.outputs();
  dim.kernel = forward.kernel;
  dim.input = {out.pad_lower,           out.pad_upper,           out.stride,
               out.trunc_lower + reach, out.trunc_upper + reach, forward.input.flip};
  dim.weights = forward.weights;
  std::swap(dim.weights.trunc_lower, dim.weights.trunc_upper);
  std::swap(dim.weights.pad_lower, dim.weights.pad_upper);
  dim.weights.flip = forward.weights.flip != forward.input.flip;
  dim.output = {forward.input.pad_lower, forward.input.pad_upper, forward.input.dilation,
                forward.input.trunc_lower, forward.input.trunc_upper};
  return dim;
}

/// The gradient of the weights along a dimension.
ConvDim weightUpdateDim(const ConvDim& forward) {
  const OutputTransform& out = forward.output;
  ConvDim dim;
  dim.field = forward.field;
  dim.kernel = forward.outputs();
  dim.input = forward.input;
  dim.input.flip = forward.input.flip != forward.weights.flip;
  dim.weights = {out.pad_lower,   out.pad_upper,   out.stride,
                 out.trunc_lower, out.trunc_upper, forward.weights.flip};
  dim.output = {forward.weights.pad_lower, forward.weights.pad_upper, forward.weights.dilation,
                forward.weights.trunc_lower, forward.weights.trunc_upper};
  return dim;
}

ConvDim swappedDim(const ConvDim& dim) {
  // The result of a correlation is reversed when its operands change places.
  const std::uint64_t reach = dim.fieldPositions() - dim.kernelPositions();
  ConvDim swapped;
  swapped.field = dim.kernel;
  swapped.kernel = dim.field;
  swapped.input = dim.weights;
  swapped.weights = dim.input;
  swapped.output = dim.output;
  swapped.input.flip = !swapped.input.flip;
  swapped.weights.flip = !swapped.weights.flip;
  swapped.input.pad_lower += reach;
  swapped.input.pad_upper += reach;
  return swapped;
}

}  // namespace

bool operator==(const OperandTransform& a, const OperandTransform& b) {
  return tied(a) == tied(b);
}
bool operator==(const OutputTransform& a, const OutputTransform& b) {
  return tied(a) == tied(b);
}
bool operator==(const ConvDim& a, const ConvDim& b) {
  return tied(a) == tied(b);
}
bool operator==(const ConvParams& a, const ConvParams& b) {
  return tied(a) == tied(b);
}

std::uint64_t OperandTransform::sizeOf(std::uint64_t elements) const {
  const std::uint64_t left = elementsLeft(elements);
  return (left == 0 ? 0 : (left - 1) * dilation + 1) + pad_lower + pad_upper;
}

std::uint64_t OperandTransform::positionOf(std::uint64_t index, std::uint64_t elements) const {
  const std::uint64_t position = (index - trunc_lower) * dilation + pad_lower;
  return flip ? sizeOf(elements) - 1 - position : position;
}

bool OperandTransform::isNone() const {
  return *this == OperandTransform{};
}

bool OutputTransform::isNone() const {
  return *this == OutputTransform{};
}

std::uint64_t ConvDim::outputs() const {
  return computedOutputs().end + output.pad_upper;
}

PositionRange ConvDim::computedOutputs() const {
  const std::uint64_t kept = rawOutputs() - output.trunc_lower - output.trunc_upper;
  return {output.pad_lower, output.pad_lower + ceilDiv(kept, output.stride)};
}

bool ConvDim::hasNoTransform() const {
  return input.isNone() && weights.isNone() && output.isNone();
}

std::uint64_t ConvParams::outputPositions() const {
  std::uint64_t positions = 1;
  for (const ConvDim& dim : dims) positions = checkedProduct(positions, dim.outputs());
  return positions;
}

PositionRange outputsOfKernelElement(const ConvDim& dim, std::uint64_t kernel) {
  const TransformedOperand input{dim.input, dim.field};
  const std::uint64_t position = dim.weights.positionOf(kernel, dim.kernel);
  const auto meets = [&](std::uint64_t output) {
    return elementAt(input, rawPosition(dim.output, output) + position).has_value();
  };
  PositionRange some = outputsBetween(dim, kernel);
  // Zeros that dilation puts between elements are left at the ends.
  while (some.begin < some.end && !meets(some.begin)) ++some.begin;
  while (some.begin < some.end && !meets(some.end - 1)) --some.end;
  return some;
}

std::optional<PositionRange> usedInputs(const ConvDim& dim) {
  return usedElements(dim).inputs;
}

std::optional<PositionRange> usedKernel(const ConvDim& dim) {
  return usedElements(dim).kernel;
}

ConvParams canonicalConv(ConvParams params) {
  std::vector<PositionRange> non_zero;
  bool all_zero = false;
  for (const ConvDim& dim : params.dims) {
    non_zero.push_back(nonZeroOutputs(dim));
    all_zero = all_zero || non_zero.back().size() == 0;
  }
  for (std::size_t i = 0; i < params.dims.size(); ++i) {
    if (all_zero) {
      params.dims[i] = zeroDim(params.dims[i]);
    } else {
      canonicalize(params.dims[i], non_zero[i]);
    }
  }
  return params;
}

ConvParams backwardConv(const ConvParams& forward) {
  ConvParams params = canonicalConv(forward);
  std::swap(params.in_chans, params.out_chans);
  for (ConvDim& dim : params.dims) dim = backwardDim(dim);
  return canonicalConv(std::move(params));
}

ConvParams weightUpdateConv(const ConvParams& forward) {
  ConvParams params = canonicalConv(forward);
  std::swap(params.batch, params.in_chans);
  for (ConvDim& dim : params.dims) dim = weightUpdateDim(dim);
  return canonicalConv(std::move(params));
}

ConvParams swappedConv(const ConvParams& params) {
  ConvParams swapped = params;
  std::swap(swapped.batch, swapped.out_chans);
  for (ConvDim& dim : swapped.dims) dim = swappedDim(dim);
  return canonicalConv(std::move(swapped));
}

}  // namespace ipusim::workloads
