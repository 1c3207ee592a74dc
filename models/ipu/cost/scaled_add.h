// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/cost/pointer_layout.h"
#include "models/ipu/element_type.h"
#include "models/ipu/machine.h"
#include "sim/base/units.h"

namespace ipusim::models {

enum class ScaledOp : std::uint8_t { Add, Subtract };

/// Where the two operands of a scaled add lie.
enum class OperandMemory : std::uint8_t {
  Any,
  Apart,  ///< in different memory elements: the "memConstrained" codelets
};

/// a (+ or -)= scale * b.
struct ScaledAddKind {
  ScaledOp op;
  ElementType a;  ///< half or float
  ElementType b;
  OperandMemory memory = OperandMemory::Any;
  PointerLayout pointers = PointerLayout::Plain;
};

/// One ScaledAddSupervisor or ScaledSubtractSupervisor vertex: a run of elements.
struct ScaledAddShape {
  ScaledAddKind kind;
  std::uint64_t elements;
};

/// Tile cycles of the vertex, all W workers; V elements of a in a vector, n elements:
///
///   vectors = floor(n / V), each = floor(vectors / W), rest = n mod V
///   total   = 50 + (7 | 13 if rest) + (7 subtract) + (6 scaled pointers) + W worker
///   worker  = 15 + (6 + loop (each - 1) if each > 0) + 3 + 1
///             + (rest: float 8; half 5, + 7 for two or more, + 6 for three)
///   loop    = 3, of mixed types 4; apart 2, and 1 from 16 vectors on
///
/// Workers that hold a vector more than `each` are not charged for it, as published. With a half
/// and b float: worker = 16 + (9 + 5 (m - 1) if m > 0) + 3, the largest over workers with m
/// vectors, that with the rest 5 more, + 5 for two or more, + 6 where odd; subtract adds 8.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT). Calibrated: no.
/// Valid for: a and b half or float, the scale of either type.
Cycles scaledAddCycles(const Machine& machine, const ScaledAddShape& shape);

/// One ScaledAdd2D or ScaledSubtract2D vertex: a list of runs.
struct ScaledAdd2dShape {
  ScaledAddKind kind;
  std::vector<std::uint64_t> regions;  ///< elements of each run
};

/// Issue slots of the vertex on one worker:
///
///   10 + (2 subtract) + sum over regions (15 + (1 scaled pointers) + (5 if n >= V)
///                                         + loop floor(n / V) + tail)
///   loop = 3, apart 2; tail, of n mod V elements: none 0; float 7; half 4, + 6 for two or more,
///   + 7 where odd
///
/// Same source. Valid for: all but a half with b float.
Cycles scaledAdd2dCycles(const Machine& machine, const ScaledAdd2dShape& shape);

}  // namespace ipusim::models
