// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/pointer_layout.h"
#include "models/ipu/cost/regions.h"

namespace ipusim::models {

/// The result for x, with scales a and b.
enum class ScaledOp : std::uint8_t {
  Add,             ///< x + b y
  Subtract,        ///< x - b y
  AxPlusBy,        ///< a x + b y
  AxMinusBy,       ///< a x - b y
  XMinusAxPlusBy,  ///< x - a x + b y
};

/// Where the two operands of a scaled add lie.
enum class OperandMemory : std::uint8_t {
  Any,
  Apart,  ///< in different memory elements: the "memConstrained" codelets
};

/// One operation on operands A and B. A takes the result.
struct ScaledAddKind {
  ScaledOp op;
  ElementType a;  ///< half or float; also int and unsigned int for Add and Subtract
  ElementType b;
  OperandMemory memory = OperandMemory::Any;
  PointerLayout a_pointers = PointerLayout::Plain;
  PointerLayout b_pointers = PointerLayout::Plain;
  ElementType scale = ElementType::Float;  ///< matters only when halves have a scale a
};

/// One ...Supervisor vertex, for one run of elements.
using ScaledAddShape = RunShape<ScaledAddKind>;

/// Tile cycles of the vertex, all W workers, on n elements. V is the number of elements of A in a
/// vector:
///
///   vectors = floor(n / V), each = floor(vectors / W), rest = n mod V, [x]: one where x holds
///   total   = supervisor + W worker
///   Add, Subtract
///     supervisor = 50 + (7 | 13 if rest) + (7 Subtract) + (6 if A has scaled pointers)
///     worker     = 15 + (6 + loop (each - 1) if each > 0) + 3 + 1
///                  + (rest: float 8; half 5, + 7 for two or more, + 6 for three)
///     loop       = 3, of mixed types 4; apart 2, and 1 from 16 vectors on
///     A half, B float: worker = 16 + (9 + 5 (m - 1) if m > 0) + 3, the largest over workers with m
///     vectors, that with the rest 5 more, + 5 for two or more, + 6 where odd; Subtract has 8
///     integers: 73 + 26 (floor(n / 3) + n mod 3) + [Subtract] in all
///   scale a (AxPlusBy, AxMinusBy, XMinusAxPlusBy)
///     supervisor = 50 + 7 + 6 [rest] + (12 + unpack A + unpack B but for AxMinusBy) + (6 as above)
///     worker     = float 17 + (6 + 3 (each - 1) if each > 0) + 1 + 5 [rest]; half as for Add
///     halves with a float scale, not XMinusAxPlusBy: f = n mod W, R = floor(n / W) mod W
///     + ceil(f / 2); worker w has k = 2 floor(n / 2 W) + 2 [w <= R] + f [w = R] elements:
///       supervisor = (7 apart, else 1) + (14 if A has scaled pointers, else 6) + 142 + 5 [f = 0]
///       worker     = 19 + core(k) + [w = R], the largest
///       core(k)    = 6 + (0, 14, 13, 22, 0 for k = 0 .. 4), from 5 on 15 + 5 floor((k - 4) / 2)
///                    + 9 [k odd]
///
/// As published, workers that hold one vector more than `each` are not charged for it.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: A and B half or float, of one type when there is a scale a; integers of 32 bits.
Cycles scaledAddCycles(const Architecture& machine, const ScaledAddShape& shape);

/// One ...2D vertex, for a list of runs.
using ScaledAdd2dShape = RegionsShape<ScaledAddKind>;

/// Issue slots of the vertex on one worker:
///
///   10 + (2 Subtract) + (6 AxPlusBy, XMinusAxPlusBy)
///      + sum (15 + (unpack B if A has short spans) + 5 [n >= V] + loop floor(n / V) + tail)
///   loop = 3, apart 2 but for floats with a scale a; tail, of n mod V elements: none 0; float 7;
///   half 4, + 6 for two or more, + 7 where odd
///   integers: 9 + [Subtract] + sum (7 + 5 n)
///   halves with a scale a that is float: 21 + (2 apart, else 1) + T sum core(n), core as above,
///   T = 2 + (4 if A has short spans, else 2) + (2 if B has scaled pointers, else 1): what a run
///   takes multiplies what its elements take, as published
///
/// The type of B does not matter.
/// Source: as above.
/// Calibrated: no.
/// Valid for: as above.
Cycles scaledAdd2dCycles(const Architecture& machine, const ScaledAdd2dShape& shape);

}  // namespace ipusim::models
