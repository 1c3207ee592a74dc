// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/networks/graph/operation.h"

// Operations that move elements and compute nothing.

namespace ipusim::workloads {

/// A tensor whose elements all have one value. It has no operands.
OperationPointer constant(const Shape& shape, double value, ElementType type = ElementType::Float);
/// The value of such a tensor; none for another operation.
std::optional<double> constantValue(const Operation& operation);

/// Zeros that a step writes in every round: a copy from a constant that lies alike.
OperationPointer zeros(const Shape& shape, ElementType type = ElementType::Float);

/// The elements of the operand in their order, with another shape.
OperationPointer reshape(const Shape& shape);

/// Dimension d of the result is dimension `order[d]` of the operand.
OperationPointer transpose(const std::vector<std::size_t>& order);

/// The operands one after the other along a dimension.
OperationPointer concat(std::size_t axis);

/// Elements [begin, end) of a dimension.
struct AxisRange {
  std::size_t axis;
  std::uint64_t begin;
  std::uint64_t end;
};
OperationPointer slice(const AxisRange& range);

/// Zeros before and after a dimension.
struct AxisPadding {
  std::size_t axis;
  std::uint64_t before;
  std::uint64_t after;
};
OperationPointer zeroPad(const AxisPadding& padding);

/// Each element of a field repeated, `factors` times in each dimension: nearest neighbours of a
/// larger picture.
OperationPointer upsample(const std::vector<std::uint64_t>& factors);

/// The operand in memory of its own, row-major and spread over the tiles without padding.
OperationPointer rowMajor();

}  // namespace ipusim::workloads
