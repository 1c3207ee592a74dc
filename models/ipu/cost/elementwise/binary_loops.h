// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/ipu/cost/elementwise/binary_op.h"

namespace ipusim::models {

/// The other operand of an operator on a tensor.
enum class SecondOperand : std::uint8_t { Tensor, Scalar };

/// An inner loop: issue slots for a group of elements.
struct BinaryLoop {
  std::uint64_t slots;
  std::uint64_t elements;
};

/// True when there is a published cost of the operator on the type, in that place.
bool hasLoop(const BinaryOpKind& kind, SecondOperand second);

/// The loop of a vertex that applies the operator, from a table by operator, type and placement.
///
/// The library's authors counted each entry from the codelet's code. Divide, power and similar
/// operators have typical latencies.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: where hasLoop() is true; otherwise throws InternalError.
BinaryLoop binaryLoop(const BinaryOpKind& kind, SecondOperand second);

}  // namespace ipusim::models
