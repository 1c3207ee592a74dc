// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/networks/graph/operation.h"

// Numbers as 8-bit floats with a common scale. These operations have no gradients: they code what
// is saved between the passes of training.

namespace ipusim::workloads {

/// The scale of a tensor's quarters is the largest power of two that brings no magnitude above this
/// number. It is the middle between 240, the largest quarter, and 256, the next power of two: what
/// is below it rounds to 240 or less, so that no number is off by more than rounding. The largest
/// quarter of a tensor is then 128 to 240, and a second encoding finds the same scale.
constexpr double kMostBeforeRounding = 248;

/// The least that counts as the largest magnitude of a tensor of `type`, so that a number of this
/// type holds the scale.
double leastMagnitude(ElementType type);

/// x 2^s in quarters, rounded to nearest, and s as a float.
OperationPointer toQuarters();

/// What toQuarters() made of a tensor of `type`, as such a tensor again.
OperationPointer fromQuarters(ElementType type);

}  // namespace ipusim::workloads
