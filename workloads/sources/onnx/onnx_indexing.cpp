// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/number_operand.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_taking.h"

// Elements at indices that each run computes or is given: look-ups in a table with one row for each
// slice, and sums of rows by their index.

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

TensorValues valuesUpTo(std::uint64_t count) {
  TensorValues values(count);
  std::iota(values.begin(), values.end(), 0.0);
  return values;
}

/// The index of a tensor that was broadcast from one number for each slice along `axis`, if the
/// network shows that it was.
std::optional<NetworkTensorId> sliceIndices(const OnnxSite& site, std::size_t axis) {
  const NetworkTensorId indices = site.operand(1);
  NetworkTensorId at = indices;
  const auto& nodes = site.graph().nodes();
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (node->results.front() != at) continue;
    const std::string kind = node->operation->kind();
    if (kind != "broadcast") break;
    const Shape& from = site.shapeOf(node->operands.front());
    const Shape& to = site.shapeOf(at);
    if (elementsOf(from) != to[axis]) break;
    return site.add("index", reshape(Shape{to[axis]}), {node->operands.front()});
  }
  return std::nullopt;
}

/// For each element of indices of shape `shape`: the element of a tensor of shape `of` at the same
/// coordinates, with 0 along `axis`.
TensorValues offsetsAlong(const Shape& shape, const Shape& of, std::size_t axis) {
  TensorValues offsets;
  for (std::uint64_t e = 0; e < elementsOf(shape); ++e) {
    std::vector<std::uint64_t> at = coordinatesOf(shape, e);
    at[axis] = 0;
    offsets.push_back(static_cast<double>(elementAt(of, at)));
  }
  return offsets;
}

/// An index from the front, in a dimension of this size.
std::uint64_t fromFront(std::int64_t index, std::uint64_t dimension) {
  const auto size = static_cast<std::int64_t>(dimension);
  const std::int64_t at = index < 0 ? index + size : index;
  if (at < 0 || at >= size) {
    throw OperandError(fmt::format("indices from {} to {}", -size, size - 1),
                       fmt::format("{}", index));
  }
  return static_cast<std::uint64_t>(at);
}

/// Indices along a dimension as indices into all elements: index times a stride, and an offset for
/// each element.
NetworkTensorId flatIndices(const OnnxSite& site, const Shape& of, std::size_t axis) {
  const Shape& shape = site.shape(1);
  const std::uint64_t stride = stridesOf(of)[axis];
  const TensorValues offsets = offsetsAlong(shape, of, axis);
  const TensorType type{shape, ElementType::UInt32};
  if (site.hasNumbers(1)) {
    TensorValues flat;
    const std::vector<std::int64_t> indices = site.integers(1);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      const auto at = static_cast<double>(fromFront(indices[e], of[axis]));
      flat.push_back(offsets[e] + at * static_cast<double>(stride));
    }
    return site.numbers("flat", type, std::move(flat));
  }
  const OnnxMath math(site);
  NetworkTensorId at = site.operand(1);
  if (stride != 1) at = math.number("stride", BinaryOp::Multiply, at, static_cast<double>(stride));
  const bool has_offsets =
      std::any_of(offsets.begin(), offsets.end(), [](double offset) { return offset != 0; });
  if (!has_offsets) return at;
  return math.binary("flat", BinaryOp::Add, at, site.numbers("offsets", type, offsets));
}

Results addGatherElements(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), shape.size());
  if (site.shape(1).size() != shape.size()) {
    throw OperandError(fmt::format("indices of {} dimensions", shape.size()),
                       textOf(site.shape(1)));
  }
  const NetworkTensorId table = site.shaped("elements", site.operand(0), {elementsOf(shape), 1});
  const NetworkTensorId found = lookedUp(site, "", table, flatIndices(site, shape, axis));
  return {site.shaped("shape", found, site.shape(1))};
}

/// The rows of tuples whose numbers the file has. A step along each of the first dimensions of `of`
/// is `strides` rows.
TensorValues rowsOfNumbers(const std::vector<std::int64_t>& numbers, const Shape& of,
                           const std::vector<std::uint64_t>& strides) {
  const std::size_t depth = strides.size();
  TensorValues rows(numbers.size() / depth, 0);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const std::size_t d = n % depth;
    rows[n / depth] +=
        static_cast<double>(fromFront(numbers[n], of[d])) * static_cast<double>(strides[d]);
  }
  return rows;
}

/// Tuples of indices as rows of a table of slices.
NetworkTensorId rowsOfTuples(const OnnxSite& site, const Shape& of, std::size_t depth) {
  const Shape& shape = site.shape(1);
  const Shape tuples(shape.begin(), shape.end() - 1);
  const std::uint64_t count = elementsOf(tuples);
  std::vector<std::uint64_t> strides(depth, 1);
  for (std::size_t d = depth; d-- > 1;) strides[d - 1] = strides[d] * of[d];
  if (site.hasNumbers(1)) {
    return site.numbers("rows", {{count}, ElementType::UInt32},
                        rowsOfNumbers(site.integers(1), of, strides));
  }
  const OnnxMath math(site);
  const NetworkTensorId flat = site.shaped("tuples", site.operand(1), {count, depth});
  std::optional<NetworkTensorId> rows;
  for (std::size_t d = 0; d < depth; ++d) {
    NetworkTensorId one = site.add("index", slice({1, d, d + 1}), {flat});
    if (strides[d] != 1) {
      one = math.number("stride", BinaryOp::Multiply, one, static_cast<double>(strides[d]));
    }
    rows = rows ? math.binary("row", BinaryOp::Add, *rows, one) : one;
  }
  return site.shaped("rows", *rows, {count});
}

std::size_t tupleDepth(const OnnxSite& site) {
  const Shape& indices = site.shape(1);
  if (indices.empty() || indices.back() == 0 || indices.back() > site.shape(0).size()) {
    throw OperandError("indices into " + textOf(site.shape(0)), textOf(indices));
  }
  return indices.back();
}

/// The slices of a tensor as rows: (product of the first dimensions, product of the others).
NetworkTensorId asRows(const OnnxSite& site, std::size_t operand, std::uint64_t rows) {
  const std::uint64_t elements = elementsOf(site.shape(operand));
  return site.shaped("rows_of_slices", site.operand(operand), {rows, elements / rows});
}

std::uint64_t rowsOf(const Shape& shape, std::size_t depth) {
  return elementsOf(Shape(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(depth)));
}

Results addGatherNd(const OnnxSite& site) {
  if (site.integer("batch_dims", 0) != 0) throw OperandError("batch_dims 0", "another number");
  const Shape& of = site.shape(0);
  const std::size_t depth = tupleDepth(site);
  const NetworkTensorId table = asRows(site, 0, rowsOf(of, depth));
  const NetworkTensorId found = lookedUp(site, "", table, rowsOfTuples(site, of, depth));
  Shape shape(site.shape(1).begin(), site.shape(1).end() - 1);
  shape.insert(shape.end(), of.begin() + static_cast<std::ptrdiff_t>(depth), of.end());
  return {site.shaped("shape", found, shape)};
}

/// Rows of updates, and where each goes.
struct Updates {
  NetworkTensorId indices;  ///< one per row
  NetworkTensorId rows;     ///< (updates, width)
  std::uint64_t count;      ///< rows of the result
};

/// data plus the sums of updates, or the updates in place of what is there. Where rows are
/// replaced, the indices differ, as the operator wants them to.
NetworkTensorId scattered(const OnnxSite& site, const Updates& updates, NetworkTensorId data) {
  const OnnxMath math(site);
  const std::string reduction = site.textOf("reduction", "none");
  const ElementType type = site.typeOf(updates.rows);
  const NetworkTensorId sums =
      site.add("", sumByIndex(updates.count), {updates.indices, updates.rows});
  if (reduction == "add") {
    const bool is_zero = site.uniform(0).value_or(1) == 0;
    return is_zero ? sums : math.binary("add", BinaryOp::Add, data, sums);
  }
  if (reduction != "none") throw OperandError("the reduction none or add", inQuotes(reduction));
  const NetworkTensorId one =
      site.add("one", constant({site.shapeOf(updates.rows)[0], 1}, 1, type), {});
  const NetworkTensorId touched =
      site.add("touched", sumByIndex(updates.count), {updates.indices, one});
  const NetworkTensorId is_touched = math.number("is_touched", BinaryOp::GreaterThan, touched, 0);
  return site.add("replace", select(), {is_touched, sums, data});
}

Results addScatterElements(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const Shape& indices = site.shape(1);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), shape.size());
  if (indices.size() != shape.size() || site.shape(2) != indices) {
    throw OperandError(
        fmt::format("indices and updates of one shape with {} dimensions", shape.size()),
        textOf(indices) + " and " + textOf(site.shape(2)));
  }
  Shape others = shape;
  others[axis] = indices[axis];
  // Whole rows go to one place where each index is repeated along them.
  const auto by_slice = others == indices && axis == 0 ? sliceIndices(site, axis) : std::nullopt;
  if (by_slice) {
    const NetworkTensorId data = asRows(site, 0, shape[0]);
    const NetworkTensorId result =
        scattered(site, {*by_slice, asRows(site, 2, indices[0]), shape[0]}, data);
    return {site.shaped("shape", result, shape)};
  }
  const std::uint64_t count = elementsOf(indices);
  const NetworkTensorId flat = site.shaped("flat_indices", flatIndices(site, shape, axis), {count});
  const NetworkTensorId data = site.shaped("elements", site.operand(0), {elementsOf(shape), 1});
  const NetworkTensorId rows = site.shaped("updates", site.operand(2), {count, 1});
  return {site.shaped("shape", scattered(site, {flat, rows, elementsOf(shape)}, data), shape)};
}

Results addScatterNd(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t depth = tupleDepth(site);
  const std::uint64_t rows = rowsOf(shape, depth);
  const NetworkTensorId at = rowsOfTuples(site, shape, depth);
  const NetworkTensorId updates = asRows(site, 2, site.shapeOf(at)[0]);
  const NetworkTensorId data = asRows(site, 0, rows);
  return {site.shaped("shape", scattered(site, {at, updates, rows}, data), shape)};
}

/// Indices that may count from the end, as those that count from the front; others stay outside.
/// Whole numbers on tiles have no sign, but their sums wrap around: a number of elements more, they
/// are right.
NetworkTensorId countedFromFront(const OnnxSite& site, NetworkTensorId indices, double elements) {
  const OnnxMath math(site);
  const ElementType type = site.typeOf(indices);
  const bool is_real = type == ElementType::Float || type == ElementType::Half;
  const auto turn_where = [&](BinaryOp op, NetworkTensorId x, double bound) {
    const NetworkTensorId is_turned = math.number("is_turned", op, x, bound);
    return math.number("turn", BinaryOp::Multiply, math.asNumber("turned", is_turned, type),
                       elements);
  };
  if (is_real) {
    const NetworkTensorId turn = turn_where(BinaryOp::LessThan, indices, 0);
    return math.binary("counted", BinaryOp::Add, indices, turn);
  }
  const NetworkTensorId shifted = math.number("shifted", BinaryOp::Add, indices, elements);
  const NetworkTensorId turn = turn_where(BinaryOp::GreaterOrEqual, shifted, elements);
  return math.binary("counted", BinaryOp::Subtract, shifted, turn);
}

/// One where the position along the new dimension is the index.
Results addOneHot(const OnnxSite& site) {
  const OnnxMath math(site);
  const auto depth = static_cast<std::uint64_t>(site.integers(1).at(0));
  const std::vector<double> values = site.reals(2);
  if (values.size() != 2) throw OperandError("two values", fmt::format("{}", values.size()));
  const std::size_t rank = site.shape(0).size() + 1;
  const std::size_t axis = onnxAxis(site.integer("axis", -1), rank);
  Shape apart = site.shape(0);
  apart.insert(apart.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  Shape along(rank, 1);
  along[axis] = depth;
  NetworkTensorId indices = site.shaped("indices", site.operand(0), apart);
  indices = countedFromFront(site, indices, static_cast<double>(depth));
  const NetworkTensorId places =
      site.numbers("places", {along, site.typeOf(indices)}, valuesUpTo(depth));
  const NetworkTensorId is_hot = math.binary("is_hot", BinaryOp::Equal, indices, places);
  const NetworkTensorId hot = math.asNumber("hot", is_hot, site.type(2));
  return {math.plus("off", math.times("on", hot, values[1] - values[0]), values[0])};
}

}  // namespace

const std::vector<OnnxOperator>& onnxIndexing() {
  static const std::vector<OnnxOperator> kOperators{
      {"GatherElements", addGatherElements},
      {"GatherND", addGatherNd},
      {"OneHot", addOneHot},
      {"Scatter", addScatterElements},
      {"ScatterElements", addScatterElements},
      {"ScatterND", addScatterNd},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
