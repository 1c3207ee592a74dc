// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"
#include "workloads/networks/operations/tables/take.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_shapes.h"
#include "workloads/sources/onnx/onnx_taking.h"

// Parts of tensors, and tensors of parts.

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;

/// A view of more runs would take more pointers than the elements that it saves.
constexpr std::size_t kMostRuns = 1024;

std::size_t runsIn(const std::vector<std::uint64_t>& indices) {
  std::size_t runs = 1;
  for (std::size_t i = 1; i < indices.size(); ++i) {
    const bool goes_on = indices[i] == indices[i - 1] || indices[i] == indices[i - 1] + 1;
    if (!goes_on) ++runs;
  }
  return runs;
}

Results addSlice(const OnnxSite& site) {
  const bool has_operands = site.operands() > 1;
  const auto numbers = [&](std::size_t operand,
                           const char* attribute) -> std::optional<std::vector<std::int64_t>> {
    if (has_operands && !site.has(operand)) return std::nullopt;
    return site.axes(operand, attribute);
  };
  const SliceNumbers asked{numbers(1, "starts").value_or(std::vector<std::int64_t>()),
                           numbers(2, "ends").value_or(std::vector<std::int64_t>()),
                           numbers(3, "axes"), numbers(4, "steps")};
  NetworkTensorId x = site.operand(0);
  for (const SteppedRange& range : steppedRanges(asked, site.shape(0))) {
    if (range.begin == 0 && range.step == 1 && range.count == site.shapeOf(x)[range.axis]) continue;
    x = stepped(site, "", x, range);
  }
  return {x};
}

Results addSplit(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), shape.size());
  Results results;
  std::uint64_t begin = 0;
  for (const std::uint64_t part : splitParts(shape[axis], site.axes(1, "split"), site.results())) {
    results.push_back(site.add(fmt::format("{}", results.size()),
                               slice({axis, begin, begin + part}), {site.operand(0)}));
    begin += part;
  }
  return results;
}

/// Operands without elements add nothing.
Results addConcat(const OnnxSite& site) {
  std::vector<NetworkTensorId> operands;
  for (std::size_t o = 0; o < site.operands(); ++o) {
    if (elementsOf(site.shape(o)) > 0) operands.push_back(site.operand(o));
  }
  if (operands.size() == 1) return {operands.front()};
  return {site.add(concat(onnxAxis(site.integer("axis", 1), site.shape(0).size())), operands)};
}

Results addGather(const OnnxSite& site) {
  const Shape& from = site.shape(0);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), from.size());
  if (!site.hasNumbers(1)) {
    NetworkTensorId table = site.operand(0);
    if (axis == 0) return {site.add(embedding(), {table, site.operand(1)})};
    table = axisMoved(site, "rows", table, axis, 0);
    NetworkTensorId found = site.add(embedding(), {table, site.operand(1)});
    // (indices..., left..., right...) becomes (left..., indices..., right...).
    const std::size_t indices = site.shape(1).size();
    std::vector<std::size_t> order(site.shapeOf(found).size());
    std::iota(order.begin(), order.end(), 0U);
    std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(indices),
                order.begin() + static_cast<std::ptrdiff_t>(indices + axis));
    return {site.add("order", transpose(order), {found})};
  }
  std::vector<std::uint64_t> indices;
  for (const std::int64_t index : site.integers(1)) {
    const auto size = static_cast<std::int64_t>(from[axis]);
    const std::int64_t counted = index < 0 ? index + size : index;
    if (counted < 0 || counted >= size) {
      throw OperandError(fmt::format("indices from {} to {}", -size, size - 1),
                         fmt::format("{}", index));
    }
    indices.push_back(static_cast<std::uint64_t>(counted));
  }
  const NetworkTensorId rows = taken(site, "", site.operand(0), axis, indices);
  Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.end(), site.shape(1).begin(), site.shape(1).end());
  shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(axis) + 1, from.end());
  return {site.shaped("shape", rows, shape)};
}

Results addExpand(const OnnxSite& site) {
  Shape asked;
  for (const std::int64_t size : site.integers(1)) {
    if (size < 1) throw OperandError("sizes from 1", fmt::format("{}", size));
    asked.push_back(static_cast<std::uint64_t>(size));
  }
  const Shape shape = broadcastShape(site.shape(0), asked);
  if (shape == site.shape(0)) return {site.operand(0)};
  return {site.add(broadcastTo(shape), {site.operand(0)})};
}

Results addTile(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::vector<std::int64_t> repeats = site.integers(1);
  if (repeats.size() != shape.size()) {
    throw OperandError(fmt::format("{} repeats", shape.size()), fmt::format("{}", repeats.size()));
  }
  NetworkTensorId x = site.operand(0);
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    constexpr std::int64_t kMostRepeats = 4096;
    if (repeats[d] < 1 || repeats[d] > kMostRepeats) {
      throw OperandError(fmt::format("repeats from 1 to {}", kMostRepeats),
                         fmt::format("{}", repeats[d]));
    }
    if (repeats[d] == 1) continue;
    x = site.add(concat(d), std::vector<NetworkTensorId>(static_cast<std::size_t>(repeats[d]), x));
  }
  return {x};
}

/// One dimension after the other: elements taken away or repeated are a view, and zeros or another
/// constant stand beside it.
/// x between elements of one value.
NetworkTensorId between(const OnnxSite& site, NetworkTensorId x, const AxisPadding& padding,
                        double value) {
  if (padding.before == 0 && padding.after == 0) return x;
  if (value == 0) return site.add(zeroPad(padding), {x});
  std::vector<NetworkTensorId> parts{x};
  const auto filled = [&](std::uint64_t count, const char* part) {
    Shape shape = site.shapeOf(x);
    shape[padding.axis] = count;
    return site.add(part, constant(shape, value, site.typeOf(x)), {});
  };
  if (padding.before > 0) parts.insert(parts.begin(), filled(padding.before, "before"));
  if (padding.after > 0) parts.push_back(filled(padding.after, "after"));
  return site.add(concat(padding.axis), parts);
}

/// x with pads along a dimension, of which negative ones leave elements out. `value` is that of the
/// mode "constant".
NetworkTensorId paddedAlong(const OnnxSite& site, NetworkTensorId x, std::size_t axis,
                            const OnnxPads& pads, double value) {
  const std::string mode = site.textOf("mode", "constant");
  const std::int64_t before = pads.before[axis];
  const std::int64_t after = pads.after[axis];
  std::vector<std::uint64_t> inside;
  for (const auto& element : paddedElements(mode, site.shapeOf(x)[axis], before, after)) {
    if (element) inside.push_back(*element);
  }
  if (inside.empty()) throw OperandError("pads that leave an element", "none left");
  const bool is_constant = mode == "constant";
  if (!is_constant || inside.size() != site.shapeOf(x)[axis]) x = taken(site, "", x, axis, inside);
  if (!is_constant) return x;
  const auto pad = [](std::int64_t count) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 0));
  };
  return between(site, x, {axis, pad(before), pad(after)}, value);
}

Results addPad(const OnnxSite& site) {
  const std::size_t rank = site.shape(0).size();
  const auto listed = site.axes(1, site.opset() < 2 ? "paddings" : "pads");
  std::optional<std::vector<std::int64_t>> axes;
  if (site.has(3)) axes = site.integers(3);
  const OnnxPads pads = padsOf(listed.value_or(std::vector<std::int64_t>()), axes, rank);
  if (site.has(2) && !site.scalar(2)) {
    throw OperandError("a padding value whose number the file has", "a computed one");
  }
  const double value = site.has(2) ? *site.scalar(2) : site.realOf("value", 0);
  NetworkTensorId x = site.operand(0);
  for (std::size_t d = 0; d < rank; ++d) {
    if (pads.before[d] != 0 || pads.after[d] != 0) x = paddedAlong(site, x, d, pads, value);
  }
  return {x};
}

/// Blocks of channels as blocks of a picture, or the other way about.
Results addBlocks(const OnnxSite& site) {
  const DepthSpace moved = depthSpace(
      site.operatorName() == "DepthToSpace" ? DepthSpaceWay::ToSpace : DepthSpaceWay::ToDepth,
      site.textOf("mode", "DCR"), site.integer("blocksize", 1), site.shape(0));
  const NetworkTensorId seen = site.shaped("blocks", site.operand(0), moved.seen);
  return {site.shaped("shape", site.add(transpose(moved.order), {seen}), moved.result)};
}

/// What is above or below a diagonal, times a mask that the file's numbers give.
Results addTriangle(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  if (shape.size() < 2) throw OperandError("at least two dimensions", textOf(shape));
  const std::int64_t diagonal = site.has(1) ? site.integers(1).at(0) : 0;
  const bool is_upper = site.isSet("upper", true);
  const std::uint64_t rows = shape[shape.size() - 2];
  const std::uint64_t columns = shape.back();
  TensorValues mask;
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t c = 0; c < columns; ++c) {
      const auto offset = static_cast<std::int64_t>(c) - static_cast<std::int64_t>(r);
      mask.push_back((is_upper ? offset >= diagonal : offset <= diagonal) ? 1 : 0);
    }
  }
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId kept =
      site.numbers("mask", {{rows, columns}, site.typeOf(x)}, std::move(mask));
  return {site.add(binary(models::BinaryOp::Multiply), {x, kept})};
}

/// The first elements of each sequence the other way round.
Results addReverse(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t time = onnxAxis(site.integer("time_axis", 0), shape.size());
  const std::size_t batch = onnxAxis(site.integer("batch_axis", 1), shape.size());
  const std::vector<std::int64_t> lengths = site.integers(1);
  std::vector<NetworkTensorId> sequences;
  for (std::uint64_t b = 0; b < shape[batch]; ++b) {
    const auto length = static_cast<std::uint64_t>(lengths.at(b));
    std::vector<std::uint64_t> order(shape[time]);
    std::iota(order.begin(), order.end(), 0U);
    if (length > order.size()) throw OperandError("lengths within the sequences", "longer ones");
    std::reverse(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(length));
    const NetworkTensorId one = site.add("sequence", slice({batch, b, b + 1}), {site.operand(0)});
    sequences.push_back(taken(site, "reverse", one, time, order));
  }
  return {sequences.size() == 1 ? sequences.front() : site.add(concat(batch), sequences)};
}

}  // namespace

NetworkTensorId axisMoved(const OnnxSite& site, const std::string& part, NetworkTensorId x,
                          std::size_t from, std::size_t to) {
  if (from == to) return x;
  std::vector<std::size_t> order(site.shapeOf(x).size());
  std::iota(order.begin(), order.end(), 0U);
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
  return site.add(part, transpose(order), {x});
}

NetworkTensorId lookedUp(const OnnxSite& site, const std::string& part, NetworkTensorId table,
                         NetworkTensorId indices) {
  return site.add(part, embedding(), {table, indices});
}

NetworkTensorId taken(const OnnxSite& site, const std::string& part, NetworkTensorId x,
                      std::size_t axis, const std::vector<std::uint64_t>& indices) {
  if (indices.empty()) throw OperandError("at least one index", "none");
  if (indices.size() == 1) {
    return site.add(part, slice({axis, indices[0], indices[0] + 1}), {x});
  }
  if (runsIn(indices) <= kMostRuns || site.isFolding())
    return site.add(part, take(axis, indices), {x});
  const NetworkTensorId at = site.numbers("indices", {{indices.size()}, ElementType::UInt32},
                                          TensorValues(indices.begin(), indices.end()));
  const NetworkTensorId rows = axisMoved(site, "rows", x, axis, 0);
  return axisMoved(site, "back", lookedUp(site, part, rows, at), 0, axis);
}

/// Elements of a range whose step is above 1: the first one of each of `count` groups. The last
/// group may be shorter than a step, and stands apart.
static NetworkTensorId firstOfGroups(const OnnxSite& site, const std::string& part,
                                     NetworkTensorId x, const SteppedRange& range) {
  const std::size_t axis = range.axis;
  const auto step = static_cast<std::uint64_t>(range.step);
  const auto begin = static_cast<std::uint64_t>(range.begin);
  Shape shape = site.shapeOf(x);
  const std::uint64_t groups = std::min(range.count, (shape[axis] - begin) / step);
  std::vector<NetworkTensorId> parts;
  if (groups > 0) {
    const NetworkTensorId whole =
        groups * step == shape[axis]
            ? x
            : site.add(part + "range", slice({axis, begin, begin + groups * step}), {x});
    Shape apart = shape;
    apart[axis] = groups;
    apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(axis) + 1, step);
    shape[axis] = groups;
    const NetworkTensorId grouped = site.shaped(part + "groups", whole, apart);
    parts.push_back(site.shaped(
        part + "step", site.add(part + "first", slice({axis + 1, 0, 1}), {grouped}), shape));
  }
  if (groups < range.count) {
    const std::uint64_t last = begin + step * (range.count - 1);
    parts.push_back(site.add(part + "last", slice({axis, last, last + 1}), {x}));
  }
  return parts.size() == 1 ? parts.front() : site.add(part, concat(axis), parts);
}

NetworkTensorId stepped(const OnnxSite& site, const std::string& part, NetworkTensorId x,
                        const SteppedRange& range) {
  if (range.count == 0) throw OperandError("at least one element", "none");
  if (range.step > 1) return firstOfGroups(site, part, x, range);
  const auto begin = static_cast<std::uint64_t>(range.begin);
  if (range.step == 1) return site.add(part, slice({range.axis, begin, begin + range.count}), {x});
  std::vector<std::uint64_t> indices;
  for (std::uint64_t i = 0; i < range.count; ++i) {
    indices.push_back(begin - static_cast<std::uint64_t>(-range.step) * i);
  }
  return taken(site, part, x, range.axis, indices);
}

const std::vector<OnnxOperator>& onnxMoving() {
  static const std::vector<OnnxOperator> kOperators{
      {"Concat", addConcat},  {"DepthToSpace", addBlocks},
      {"Expand", addExpand},  {"Gather", addGather},
      {"Pad", addPad},        {"ReverseSequence", addReverse},
      {"Slice", addSlice},    {"SpaceToDepth", addBlocks},
      {"Split", addSplit},    {"Tile", addTile},
      {"Trilu", addTriangle},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
