// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/graph/indexing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ipusim::workloads {

namespace {

/// `shape` with leading dimensions of 1, so that it has `rank` dimensions.
Shape padded(const Shape& shape, std::size_t rank) {
  Shape result(rank - std::min(rank, shape.size()), 1);
  result.insert(result.end(), shape.begin(), shape.end());
  return result;
}

}  // namespace

std::vector<std::uint64_t> stridesOf(const Shape& shape) {
  std::vector<std::uint64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

std::vector<std::uint64_t> coordinatesOf(const Shape& shape, std::uint64_t element) {
  std::vector<std::uint64_t> coordinates(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    coordinates[d] = element % shape[d];
    element /= shape[d];
  }
  return coordinates;
}

std::uint64_t elementAt(const Shape& shape, const std::vector<std::uint64_t>& coordinates) {
  std::uint64_t element = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) element = element * shape[d] + coordinates[d];
  return element;
}

Shape broadcastShape(const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const Shape left = padded(a, rank);
  const Shape right = padded(b, rank);
  Shape result(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    if (left[d] != right[d] && left[d] != 1 && right[d] != 1) {
      throw OperandError("shapes whose dimensions are equal or 1", textOf(a) + " and " + textOf(b));
    }
    result[d] = left[d] == 1 ? right[d] : left[d];
  }
  return result;
}

std::vector<std::uint64_t> broadcastSources(const Shape& operand, const Shape& result) {
  const Shape shape = padded(operand, result.size());
  std::vector<std::uint64_t> strides = stridesOf(shape);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) strides[d] = 0;
  }
  std::vector<std::uint64_t> sources(elementsOf(result));
  for (std::uint64_t e = 0; e < sources.size(); ++e) {
    const std::vector<std::uint64_t> at = coordinatesOf(result, e);
    for (std::size_t d = 0; d < at.size(); ++d) sources[e] += at[d] * strides[d];
  }
  return sources;
}

void expectAxis(const Shape& shape, std::size_t axis) {
  if (axis < shape.size()) return;
  throw OperandError(fmt::format("more than {} dimensions", axis), textOf(shape));
}

void expectWhole(const TensorType& tensor, const std::string& what) {
  switch (tensor.type) {
    case ElementType::Int32:
    case ElementType::UInt32:
    case ElementType::UInt16:
      return;
    default:
      throw OperandError(what + " of a type of whole numbers", ipusim::nameOf(tensor.type));
  }
}

std::size_t indexBelow(std::uint64_t count, double value) {
  const bool is_index = value >= 0 && value < static_cast<double>(count);
  if (is_index && std::floor(value) == value) return static_cast<std::size_t>(value);
  throw OperandError(fmt::format("an index below {}", count), fmt::format("{:.6g}", value));
}

AxisView viewAround(const Shape& shape, std::size_t axis) {
  AxisView view{1, shape.at(axis), 1};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (d < axis) view.outer *= shape[d];
    if (d > axis) view.inner *= shape[d];
  }
  return view;
}

}  // namespace ipusim::workloads
