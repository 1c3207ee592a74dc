// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/data_type.h"
#include "models/ipu/cost/elementwise/op_placement.h"
#include "models/ipu/cost/regions.h"

namespace ipusim::models {

/// Operators on two operands of one shape.
enum class BinaryOp : std::uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Maximum,
  Minimum,
  Power,
  Atan2,
  Equal,
  NotEqual,
  LessThan,
  LessOrEqual,
  GreaterThan,
  GreaterOrEqual,
  LogicalAnd,
  LogicalOr,
  BitwiseAnd,
  BitwiseOr,
  BitwiseXor,
  BitwiseXnor,
  ShiftLeft,
  ShiftRight,
  ShiftRightSignExtend,
};

/// The operator of a vertex, and the type of its operands.
struct BinaryOpKind {
  BinaryOp op;
  DataType type;  ///< type of the operands
  OpPlacement placement = OpPlacement::OutOfPlace;
};

/// One BinaryOp1D or BinaryOp1DInPlace vertex, for one run of elements.
using BinaryOpShape = RunShape<BinaryOpKind>;

/// Tile cycles of a BinaryOp1D(InPlace) vertex, spread over all workers W:
///
///   11 + W (start + f(ceil(elements / W)))    start: 29 float, 26 other types, 58 in place
///   f(n) = c ceil(n / u): c issue slots for u elements
///
///   op                  float          half      int
///   add, sub, mul       3 / 2          3 / 4     7 / 1
///   max, min            3 / 2 (*4)     4 / 4     7 / 1
///   divide              10 / 2         21 / 4    277 / 1
///   equal, greater      14 / 4         9 / 4     22 / 4        * in place
///   the other operators and types: binary_loops.cpp
///
/// The estimate assumes two loads and one store per vector, as when the operands share a memory
/// element. Operands that lie apart run faster. The arithmetic of divide and power has typical
/// latencies.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp,
/// lib/popops/PerformanceEstimation.cpp (MIT).
/// Calibrated: no.
/// Valid for: the pairs of binary_loops.cpp; comparisons in place for bools only.
Cycles binaryOpCycles(const Architecture& machine, const BinaryOpShape& shape);

/// One BinaryOp2D or BinaryOp2DInPlace vertex, for a list of runs.
using BinaryOp2dShape = RegionsShape<BinaryOpKind>;

/// Issue slots of the vertex on one worker: 5 (in place 20) + sum over regions f, with f as above.
/// Source: as above.
Cycles binaryOp2dCycles(const Architecture& machine, const BinaryOp2dShape& shape);

}  // namespace ipusim::models
