// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/config/words.h"
#include "workloads/networks/graph/operation.h"

// Operations that reduce dimensions, and those that repeat them.

namespace ipusim::workloads {

enum class ReductionFunction : std::uint8_t { Sum, Mean, Maximum, Minimum };

constexpr Words<ReductionFunction, 4> kReductionFunctions{{
    {ReductionFunction::Sum, "sum"},
    {ReductionFunction::Mean, "mean"},
    {ReductionFunction::Maximum, "max"},
    {ReductionFunction::Minimum, "min"},
}};

/// What happens to reduced dimensions.
enum class ReducedAxes : std::uint8_t { Kept, Removed };

/// f over the dimensions `axes`. A dimension that is kept has size 1. The gradient of a
/// maximum or a minimum goes to every element that equals it.
OperationPointer reduce(ReductionFunction function, const std::vector<std::size_t>& axes,
                        ReducedAxes reduced);

/// The sum over all elements that broadcasting would make of one of `shape`.
OperationPointer sumToShape(const Shape& shape);

/// The gradient of an operand of `shape` that was broadcast: the sum over its copies, where there
/// are any.
NetworkTensorId sumOverCopies(const GradientSite& site, const Shape& shape,
                              NetworkTensorId gradient);

/// The operand, broadcast to `shape`.
OperationPointer broadcastTo(const Shape& shape);

}  // namespace ipusim::workloads
