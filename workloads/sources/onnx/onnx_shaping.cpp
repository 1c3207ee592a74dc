// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"
#include "workloads/networks/operations/windows/window.h"
#include "workloads/sources/onnx/onnx_site.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;

/// A shape from numbers of the file. Throws OperandError for a size below 1 or huge ones.
constexpr std::int64_t kLargestSize = std::int64_t{1} << 40;

Shape shapeOf(const std::vector<std::int64_t>& sizes) {
  Shape shape;
  for (const std::int64_t size : sizes) {
    if (size < 1 || size > kLargestSize) {
      throw OperandError(fmt::format("sizes from 1 to {}", kLargestSize), fmt::format("{}", size));
    }
    shape.push_back(static_cast<std::uint64_t>(size));
  }
  return shape;
}

Results reshaped(const OnnxSite& site, const Shape& shape) {
  if (shape == site.shape(0)) return {site.operand(0)};
  return {site.add(reshape(shape), {site.operand(0)})};
}

Results addReshape(const OnnxSite& site) {
  std::vector<std::int64_t> sizes = site.integers(1);
  const Shape& from = site.shape(0);
  std::uint64_t known = 1;
  std::optional<std::size_t> open;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0 && d < from.size()) sizes[d] = static_cast<std::int64_t>(from[d]);
    if (sizes[d] == -1 && !open) {
      open = d;
      sizes[d] = 1;
    } else if (sizes[d] > 0) {
      known = checkedProduct(known, static_cast<std::uint64_t>(sizes[d]));
    }
  }
  Shape shape = shapeOf(sizes);
  if (open) shape[*open] = std::max<std::uint64_t>(elementsOf(from) / known, 1);
  return reshaped(site, shape);
}

Results addFlatten(const OnnxSite& site) {
  const Shape& from = site.shape(0);
  const std::int64_t asked = site.integer("axis", 1);
  const bool is_last = asked == static_cast<std::int64_t>(from.size());
  const std::size_t axis = is_last ? from.size() : site.axis(asked, from.size());
  Shape shape{1, 1};
  for (std::size_t d = 0; d < from.size(); ++d) shape[d < axis ? 0 : 1] *= from[d];
  return reshaped(site, shape);
}

/// The axes of an operator: its second operand from opset 13 on, an attribute before that.
std::vector<std::int64_t> axesOf(const OnnxSite& site) {
  if (site.has(1)) return site.integers(1);
  return site.integersOf("axes").value_or(std::vector<std::int64_t>());
}

Results addSqueeze(const OnnxSite& site) {
  const Shape& from = site.shape(0);
  std::vector<bool> is_removed(from.size(), false);
  const std::vector<std::int64_t> axes = axesOf(site);
  for (const std::int64_t axis : axes) is_removed[site.axis(axis, from.size())] = true;
  Shape shape;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (!(axes.empty() ? from[d] == 1 : is_removed[d])) shape.push_back(from[d]);
  }
  return reshaped(site, shape);
}

Results addUnsqueeze(const OnnxSite& site) {
  const Shape& from = site.shape(0);
  const std::vector<std::int64_t> axes = axesOf(site);
  std::vector<bool> is_added(from.size() + axes.size(), false);
  for (const std::int64_t axis : axes) is_added[site.axis(axis, is_added.size())] = true;
  Shape shape;
  auto next = from.begin();
  for (const bool added : is_added) {
    if (!added && next == from.end()) throw OperandError("axes that differ", "equal ones");
    shape.push_back(added ? 1 : *next++);
  }
  return reshaped(site, shape);
}

Results addTranspose(const OnnxSite& site) {
  const std::size_t rank = site.shape(0).size();
  std::vector<std::size_t> order(rank);
  const auto given = site.integersOf("perm");
  if (given && given->size() != rank) {
    throw OperandError(fmt::format("{} numbers in perm", rank), fmt::format("{}", given->size()));
  }
  for (std::size_t d = 0; d < rank; ++d) {
    order[d] = rank - 1 - d;
    if (given) order[d] = site.axis((*given)[d], rank);
  }
  return {site.add(transpose(order), {site.operand(0)})};
}

Results addConcat(const OnnxSite& site) {
  std::vector<NetworkTensorId> operands;
  for (std::size_t o = 0; o < site.operands(); ++o) operands.push_back(site.operand(o));
  return {site.add(concat(site.axis(site.integer("axis", 0), site.shape(0).size())), operands)};
}

/// The first or last element of a range, counted from the end where it is negative.
std::uint64_t boundOf(std::int64_t bound, std::uint64_t size) {
  const auto count = static_cast<std::int64_t>(size);
  const std::int64_t counted = bound < 0 ? bound + count : bound;
  return static_cast<std::uint64_t>(std::min(std::max<std::int64_t>(counted, 0), count));
}

Results addSlice(const OnnxSite& site) {
  const bool has_operands = site.operands() > 1;
  const auto numbers = [&](std::size_t operand, const char* attribute) {
    if (has_operands) return site.integers(operand);
    return site.integersOf(attribute).value_or(std::vector<std::int64_t>());
  };
  const std::vector<std::int64_t> starts = numbers(1, "starts");
  const std::vector<std::int64_t> ends = numbers(2, "ends");
  std::vector<std::int64_t> axes(starts.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (has_operands ? site.has(3) : site.integersOf("axes").has_value()) axes = numbers(3, "axes");
  if (site.has(4)) {
    for (const std::int64_t step : site.integers(4)) {
      if (step != 1) throw OperandError("steps of 1", fmt::format("{}", step));
    }
  }
  if (ends.size() != starts.size() || axes.size() != starts.size()) {
    throw OperandError("as many starts as ends and axes", fmt::format("{}", starts.size()));
  }
  NetworkTensorId x = site.operand(0);
  for (std::size_t s = 0; s < starts.size(); ++s) {
    const Shape& shape = site.graph().shapeOf(x);
    const std::size_t axis = site.axis(axes[s], shape.size());
    const AxisRange range{axis, boundOf(starts[s], shape[axis]), boundOf(ends[s], shape[axis])};
    if (range.begin == 0 && range.end == shape[axis]) continue;
    x = site.add(slice(range), {x});
  }
  return {x};
}

Results addSplit(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t axis = site.axis(site.integer("axis", 0), shape.size());
  std::vector<std::uint64_t> parts(site.results(), ceilDiv(shape[axis], site.results()));
  if (site.has(1)) {
    parts = shapeOf(site.integers(1));
  } else if (const auto given = site.integersOf("split")) {
    parts = shapeOf(*given);
  }
  if (std::accumulate(parts.begin(), parts.end(), std::uint64_t{0}) < shape[axis]) {
    throw OperandError(fmt::format("parts of {} elements in all", shape[axis]), "fewer");
  }
  Results results;
  std::uint64_t begin = 0;
  for (const std::uint64_t part : parts) {
    const std::uint64_t end = std::min(begin + part, shape[axis]);
    results.push_back(
        site.add(fmt::format("{}", results.size()), slice({axis, begin, end}), {site.operand(0)}));
    begin = end;
  }
  return results;
}

/// Slices of a tensor at indices that the file has.
NetworkTensorId gathered(const OnnxSite& site, std::size_t axis,
                         const std::vector<std::int64_t>& indices) {
  constexpr std::size_t kMostSlices = 1024;
  const std::uint64_t size = site.shape(0)[axis];
  std::vector<NetworkTensorId> slices;
  for (const std::int64_t index : indices) {
    const std::int64_t counted = index < 0 ? index + static_cast<std::int64_t>(size) : index;
    if (counted < 0 || counted >= static_cast<std::int64_t>(size) || slices.size() > kMostSlices) {
      throw OperandError(fmt::format("at most {} indices below {}", kMostSlices, size),
                         fmt::format("{}", index));
    }
    const auto begin = static_cast<std::uint64_t>(counted);
    slices.push_back(site.add("slice", slice({axis, begin, begin + 1}), {site.operand(0)}));
  }
  return slices.size() == 1 ? slices.front() : site.add("concat", concat(axis), slices);
}

Results addGather(const OnnxSite& site) {
  const Shape from = site.shape(0);
  const std::size_t axis = site.axis(site.integer("axis", 0), from.size());
  if (axis == 0 && !site.hasNumbers(1)) {
    return {site.add(embedding(), {site.operand(0), site.operand(1)})};
  }
  const NetworkTensorId rows = gathered(site, axis, site.integers(1));
  Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), site.shape(1).begin(), site.shape(1).end());
  shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(axis) + 1, from.end());
  return {site.add(reshape(shape), {rows})};
}

Results addExpand(const OnnxSite& site) {
  const Shape shape = broadcastShape(site.shape(0), shapeOf(site.integers(1)));
  if (shape == site.shape(0)) return {site.operand(0)};
  return {site.add(broadcastTo(shape), {site.operand(0)})};
}

Results addConstantOfShape(const OnnxSite& site) {
  return {
      site.add(constant(shapeOf(site.integers(0)), site.constantValue(), site.constantType()), {})};
}

std::uint64_t padOf(std::int64_t pad) {
  if (pad < 0 || pad >= kLargestSize) {
    throw OperandError(fmt::format("pads from 0 to {}", kLargestSize - 1), fmt::format("{}", pad));
  }
  return static_cast<std::uint64_t>(pad);
}

Results addPad(const OnnxSite& site) {
  if (site.textOf("mode", "constant") != "constant") {
    throw OperandError("the mode constant", inQuotes(site.textOf("mode", "")));
  }
  const std::vector<std::int64_t> pads =
      site.has(1) ? site.integers(1)
                  : site.integersOf("pads").value_or(std::vector<std::int64_t>());
  if (site.scalar(2).value_or(site.realOf("value", 0)) != 0) {
    throw OperandError("a padding with zeros", "another value");
  }
  const std::size_t rank = site.shape(0).size();
  if (pads.size() != 2 * rank) {
    throw OperandError(fmt::format("{} pads", 2 * rank), fmt::format("{}", pads.size()));
  }
  NetworkTensorId x = site.operand(0);
  for (std::size_t d = 0; d < rank; ++d) {
    if (pads[d] == 0 && pads[d + rank] == 0) continue;
    x = site.add(zeroPad({d, padOf(pads[d]), padOf(pads[d + rank])}), {x});
  }
  return {x};
}

template <ReductionFunction function>
Results addReduce(const OnnxSite& site) {
  const std::size_t rank = site.shape(0).size();
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : axesOf(site)) axes.push_back(site.axis(axis, rank));
  if (axes.empty() && site.integer("noop_with_empty_axes", 0) != 0) return {site.operand(0)};
  if (axes.empty()) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0U);
  }
  const auto reduced = site.integer("keepdims", 1) != 0 ? ReducedAxes::Kept : ReducedAxes::Removed;
  return {site.add(reduce(function, axes, reduced), {site.operand(0)})};
}

/// The scales of an Upsample or a Resize, or the sizes of the result where `has_sizes`.
std::vector<double> scalesOf(const OnnxSite& site, bool has_sizes) {
  if (has_sizes) return site.reals(3);
  if (const auto scales = site.realsOf("scales")) return *scales;  // of an Upsample before opset 9
  // From opset 11 on, the region of a Resize stands before its scales.
  return site.reals(site.operatorName() == "Upsample" || site.opset() < 11 ? 1 : 2);
}

/// Pictures that grow by whole factors: each element is repeated.
Results addResize(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  if (site.textOf("mode", "nearest") != "nearest") {
    throw OperandError("the mode nearest", inQuotes(site.textOf("mode", "")));
  }
  std::vector<std::uint64_t> factors;
  const bool has_sizes = site.has(3);
  const std::vector<double> given = scalesOf(site, has_sizes);
  if (given.size() != shape.size()) {
    throw OperandError(fmt::format("{} scales or sizes", shape.size()),
                       fmt::format("{}", given.size()));
  }
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const double factor = has_sizes ? given[d] / static_cast<double>(shape[d]) : given[d];
    // Compared before it is made a whole number, which infinities and NaN have none of.
    const bool is_whole =
        factor >= 1 && factor <= static_cast<double>(kLargestSize) && std::trunc(factor) == factor;
    if (!is_whole || (d < 2 && factor != 1)) {
      throw OperandError("a field that grows by whole factors", fmt::format("{}", factor));
    }
    if (d >= 2) factors.push_back(static_cast<std::uint64_t>(factor));
  }
  return {site.add(upsample(factors), {site.operand(0)})};
}

}  // namespace

const std::vector<OnnxOperator>& onnxShaping() {
  static const std::vector<OnnxOperator> kOperators{
      {"Concat", addConcat},
      {"ConstantOfShape", addConstantOfShape},
      {"Expand", addExpand},
      {"Flatten", addFlatten},
      {"Gather", addGather},
      {"Pad", addPad},
      {"ReduceMax", addReduce<ReductionFunction::Maximum>},
      {"ReduceMean", addReduce<ReductionFunction::Mean>},
      {"ReduceMin", addReduce<ReductionFunction::Minimum>},
      {"ReduceSum", addReduce<ReductionFunction::Sum>},
      {"Reshape", addReshape},
      {"Resize", addResize},
      {"Slice", addSlice},
      {"Split", addSplit},
      {"Squeeze", addSqueeze},
      {"Transpose", addTranspose},
      {"Unsqueeze", addUnsqueeze},
      {"Upsample", addResize},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
