// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/elementwise/binary_op.h"

namespace ipusim::models {

/// Issue slots of a division of two unsigned integers, the loop around it included. A tile has no
/// instruction for it, and the published estimate says 260 to 265.
/// Source: gathers in two stages on one Bow (graphcore-research/hydronet-gnn, MIT,
/// experiments/bow/gather.csv). Those whose part of a table is a power of two shift instead, and
/// take 367 cycles less for each element of a worker: 6 times 61.
/// Calibrated: yes, to all gathers at the default proportion of memory.
/// Valid for: numerators up to the rows of a table.
constexpr std::uint64_t kUnsignedDivisionSlots = 61;

/// binaryOpCycles(), with that division.
Cycles measuredBinaryOpCycles(const Architecture& machine, const BinaryOpShape& shape);
/// binaryOp2dCycles(), with that division.
Cycles measuredBinaryOp2dCycles(const Architecture& machine, const BinaryOp2dShape& shape);

}  // namespace ipusim::models
