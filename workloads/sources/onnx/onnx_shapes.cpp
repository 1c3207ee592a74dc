// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text/message.h"
#include "workloads/networks/graph/operation.h"
#include "workloads/sources/onnx/onnx_attributes.h"

namespace ipusim::workloads {

namespace {

constexpr std::int64_t kLargestDimension = std::int64_t{1} << 40;

std::uint64_t dimensionOf(std::int64_t size) {
  if (size < 0 || size > kLargestDimension) {
    throw OperandError(fmt::format("sizes from 0 to {}", kLargestDimension),
                       fmt::format("{}", size));
  }
  return static_cast<std::uint64_t>(size);
}

/// By dimension: whether `axes` name it.
std::vector<bool> namedAxes(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<bool> is_named(rank, false);
  for (const std::int64_t axis : axes) {
    const std::size_t named = onnxAxis(axis, rank);
    if (is_named[named]) throw OperandError("axes that differ", "equal ones");
    is_named[named] = true;
  }
  return is_named;
}

}  // namespace

Shape reshapedShape(const Shape& from, std::vector<std::int64_t> sizes, bool allows_zero) {
  std::uint64_t known = 1;
  std::optional<std::size_t> open;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0 && !allows_zero) {
      if (d >= from.size()) {
        throw OperandError(fmt::format("a dimension {} to keep", d), textOf(from));
      }
      sizes[d] = static_cast<std::int64_t>(from[d]);
    }
    if (sizes[d] == -1 && !open) {
      open = d;
      sizes[d] = 1;
    }
    known = checkedProduct(known, dimensionOf(sizes[d]));
  }
  Shape shape(sizes.begin(), sizes.end());
  if (open && known > 0) shape[*open] = elementsOf(from) / known;
  if (elementsOf(shape) != elementsOf(from)) {
    throw OperandError("as many elements as " + textOf(shape), textOf(from));
  }
  return shape;
}

Shape flattenedShape(const Shape& from, std::int64_t axis) {
  const bool is_last = axis == static_cast<std::int64_t>(from.size());
  const std::size_t middle = is_last ? from.size() : onnxAxis(axis, from.size());
  Shape shape{1, 1};
  for (std::size_t d = 0; d < from.size(); ++d) shape[d < middle ? 0 : 1] *= from[d];
  return shape;
}

Shape squeezedShape(const Shape& from, const std::vector<std::int64_t>& axes) {
  const std::vector<bool> is_named = namedAxes(axes, from.size());
  Shape shape;
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (is_named[d] && from[d] != 1) {
      throw OperandError(fmt::format("a size of 1 in dimension {}", d), textOf(from));
    }
    if (!(axes.empty() ? from[d] == 1 : is_named[d])) shape.push_back(from[d]);
  }
  return shape;
}

Shape unsqueezedShape(const Shape& from, const std::vector<std::int64_t>& axes) {
  const std::vector<bool> is_added = namedAxes(axes, from.size() + axes.size());
  Shape shape;
  auto next = from.begin();
  for (const bool added : is_added) shape.push_back(added ? 1 : *next++);
  return shape;
}

std::vector<std::size_t> transposeOrder(const std::optional<std::vector<std::int64_t>>& perm,
                                        std::size_t rank) {
  std::vector<std::size_t> order(rank);
  if (perm && perm->size() != rank) {
    throw OperandError(fmt::format("{} numbers in perm", rank), fmt::format("{}", perm->size()));
  }
  for (std::size_t d = 0; d < rank; ++d) {
    order[d] = perm ? onnxAxis((*perm)[d], rank) : rank - 1 - d;
  }
  return order;
}

std::vector<SteppedRange> steppedRanges(const SliceNumbers& asked, const Shape& shape) {
  const std::size_t count = asked.starts.size();
  std::vector<std::int64_t> axes(count);
  std::iota(axes.begin(), axes.end(), 0);
  if (asked.axes) axes = *asked.axes;
  const std::vector<std::int64_t> steps = asked.steps.value_or(std::vector<std::int64_t>(count, 1));
  if (asked.ends.size() != count || axes.size() != count || steps.size() != count) {
    throw OperandError("as many starts as ends, axes and steps", fmt::format("{}", count));
  }
  std::vector<SteppedRange> ranges;
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t axis = onnxAxis(axes[s], shape.size());
    const auto size = static_cast<std::int64_t>(shape[axis]);
    const std::int64_t step = steps[s];
    if (step == 0) throw OperandError("steps other than 0", "0");
    // A range with a step back ends before the first element, which is -1.
    const auto bound = [&](std::int64_t at, std::int64_t low, std::int64_t high) {
      return std::min(std::max(at < 0 ? at + size : at, low), high);
    };
    const std::int64_t begin =
        step > 0 ? bound(asked.starts[s], 0, size) : bound(asked.starts[s], 0, size - 1);
    const std::int64_t end =
        step > 0 ? bound(asked.ends[s], 0, size) : bound(asked.ends[s], -1, size - 1);
    const std::int64_t length = step > 0 ? end - begin : begin - end;
    const std::uint64_t stride = step > 0 ? static_cast<std::uint64_t>(step)
                                          : std::uint64_t{0} - static_cast<std::uint64_t>(step);
    const std::uint64_t elements =
        length > 0 ? ceilDiv(static_cast<std::uint64_t>(length), stride) : 0;
    ranges.push_back({axis, begin, elements > 1 ? step : 1, elements});
  }
  return ranges;
}

std::vector<std::uint64_t> splitParts(std::uint64_t size,
                                      const std::optional<std::vector<std::int64_t>>& given,
                                      std::size_t count) {
  std::vector<std::uint64_t> parts;
  std::uint64_t left = size;
  for (std::size_t p = 0; p < (given ? given->size() : count); ++p) {
    const std::uint64_t part =
        given ? dimensionOf((*given)[p]) : std::min<std::uint64_t>(ceilDiv(size, count), left);
    if (part > left) {
      throw OperandError(fmt::format("parts of {} elements in all", size), "more");
    }
    left -= part;
    parts.push_back(part);
  }
  if (left > 0) throw OperandError(fmt::format("parts of {} elements in all", size), "fewer");
  return parts;
}

DepthSpace depthSpace(DepthSpaceWay way, const std::string& mode, std::int64_t block,
                      const Shape& shape) {
  if (shape.size() != 4) {
    throw OperandError("a tensor (batch, channels, height, width)", textOf(shape));
  }
  const std::uint64_t b = dimensionOf(block);
  const bool to_space = way == DepthSpaceWay::ToSpace;
  const bool divides =
      b > 0 && (to_space ? shape[1] % (b * b) == 0 : shape[2] % b == 0 && shape[3] % b == 0);
  if (!divides) throw OperandError("a block size that divides the shape", fmt::format("{}", b));
  const std::uint64_t n = shape[0];
  const std::uint64_t c = shape[1];
  const std::uint64_t h = shape[2];
  const std::uint64_t w = shape[3];
  if (!to_space) {
    return {{n, c, h / b, b, w / b, b}, {0, 3, 5, 1, 2, 4}, {n, c * b * b, h / b, w / b}};
  }
  const Shape result{n, c / (b * b), h * b, w * b};
  if (mode == "DCR") return {{n, b, b, c / (b * b), h, w}, {0, 3, 4, 1, 5, 2}, result};
  if (mode == "CRD") return {{n, c / (b * b), b, b, h, w}, {0, 1, 4, 2, 5, 3}, result};
  throw OperandError("the mode DCR or CRD", inQuotes(mode));
}

OnnxPads padsOf(const std::vector<std::int64_t>& pads,
                const std::optional<std::vector<std::int64_t>>& axes, std::size_t rank) {
  OnnxPads found{std::vector<std::int64_t>(rank, 0), std::vector<std::int64_t>(rank, 0)};
  const std::size_t count = axes ? axes->size() : rank;
  if (pads.size() != 2 * count) {
    throw OperandError(fmt::format("{} pads", 2 * count), fmt::format("{}", pads.size()));
  }
  for (std::size_t p = 0; p < count; ++p) {
    const std::size_t axis = axes ? onnxAxis((*axes)[p], rank) : p;
    for (const std::int64_t pad : {pads[p], pads[p + count]}) {
      if (pad < -kLargestDimension || pad > kLargestDimension) {
        throw OperandError(fmt::format("pads up to {}", kLargestDimension), fmt::format("{}", pad));
      }
    }
    found.before[axis] = pads[p];
    found.after[axis] = pads[p + count];
  }
  return found;
}

std::vector<std::optional<std::uint64_t>> paddedElements(const std::string& mode,
                                                         std::uint64_t size, std::int64_t before,
                                                         std::int64_t after) {
  constexpr std::int64_t kMostPadded = std::int64_t{1} << 24;
  const auto count = static_cast<std::int64_t>(size);
  if (before + count + after < 0) {
    throw OperandError(fmt::format("pads that take at most {} elements away", size), "more");
  }
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap") {
    throw OperandError("the mode constant, reflect, edge or wrap", inQuotes(mode));
  }
  if (before + count + after > kMostPadded || (count == 0 && mode != "constant")) {
    throw OperandError(fmt::format("from 1 to {} elements in a padded dimension", kMostPadded),
                       fmt::format("{}", before + count + after));
  }
  // A reflection does not repeat the last element: its period is 2 (size - 1).
  const std::int64_t period =
      mode == "reflect" ? std::max<std::int64_t>(2 * (count - 1), 1) : count;
  std::vector<std::optional<std::uint64_t>> elements;
  for (std::int64_t at = -before; at < count + after; ++at) {
    std::int64_t from = at;
    if (at < 0 || at >= count) {
      if (mode == "constant") {
        elements.emplace_back();
        continue;
      }
      from = mode == "edge" ? std::min(std::max<std::int64_t>(at, 0), count - 1)
                            : (at % period + period) % period;
      if (from >= count) from = period - from;
    }
    elements.emplace_back(static_cast<std::uint64_t>(from));
  }
  return elements;
}

}  // namespace ipusim::workloads
