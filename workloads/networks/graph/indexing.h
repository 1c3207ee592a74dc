// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/tensor.h"
#include "workloads/networks/graph/operation.h"

// Positions of elements in row-major tensors, for references and shape inference.

namespace ipusim::workloads {

/// Elements between neighbours along each dimension.
std::vector<std::uint64_t> stridesOf(const Shape& shape);

/// The coordinates of an element.
std::vector<std::uint64_t> coordinatesOf(const Shape& shape, std::uint64_t element);

/// The element at coordinates.
std::uint64_t elementAt(const Shape& shape, const std::vector<std::uint64_t>& coordinates);

/// The shape of an elementwise operation on tensors of both shapes. Shapes are aligned at their
/// last dimension, and a dimension of 1 (or a missing one) repeats. Throws OperandError.
Shape broadcastShape(const Shape& a, const Shape& b);

/// For each element of `result`, the element of `operand` that it reads when `operand` is broadcast
/// to `result`.
std::vector<std::uint64_t> broadcastSources(const Shape& operand, const Shape& result);

/// Throws OperandError unless a shape has a dimension `axis`.
void expectAxis(const Shape& shape, std::size_t axis);

/// Throws OperandError unless the elements of a tensor are whole numbers. `what` says what they
/// are: indices, or labels.
void expectWhole(const TensorType& tensor, const std::string& what);

/// A value as an index. Throws OperandError unless it is a whole number below `count`.
std::size_t indexBelow(std::uint64_t count, double value);

/// A tensor seen as (outer, size, inner) around one dimension.
struct AxisView {
  std::uint64_t outer;
  std::uint64_t size;
  std::uint64_t inner;

  [[nodiscard]] std::uint64_t at(std::uint64_t o, std::uint64_t s, std::uint64_t i) const {
    return (o * size + s) * inner + i;
  }
};
AxisView viewAround(const Shape& shape, std::size_t axis);

}  // namespace ipusim::workloads
