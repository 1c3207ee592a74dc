// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/elementwise/op_placement.h"
#include "models/ipu/cost/pointer_layout.h"
#include "models/ipu/cost/regions.h"

namespace ipusim::models {

/// Functions for which the library has NonLinearity or NonLinearityGrad vertices.
enum class NonLinearity : std::uint8_t { Relu, Sigmoid, Tanh, Gelu, GeluErf, Swish };

/// A function, and what it works on.
struct NonLinearityKind {
  NonLinearity function;
  ElementType type;  ///< half or float
  OpPlacement placement = OpPlacement::OutOfPlace;
  PointerLayout pointers = PointerLayout::Plain;
};

/// One NonLinearity1D(InPlace) or NonLinearityGrad1D vertex, for one run of elements.
using NonLinearityShape = RunShape<NonLinearityKind>;

/// One NonLinearity2D(InPlace) or NonLinearityGrad2D vertex, for a list of runs.
using NonLinearity2dShape = RegionsShape<NonLinearityKind>;

/// Tile cycles of a NonLinearity1D(InPlace) vertex, all W workers, on n elements in vectors of V. r
/// = n mod V. [x] is one where x holds, and zero otherwise:
///
///   9 + W (20 + [swish in place] + [scaled pointers] + loop(ceil(floor(n / V) / W)) + tail)
///   loop(q) = 3 + 2 op + (q - 1) vec, nothing for q = 0
///   tail: float 3 + (2 + op) [r > 0]; half 4 + (2 + op) [r >= 2] + (3 + op) [r odd]
///
///   op, vec  relu    sigmoid  tanh     gelu     swish
///   float    1, 1    5, 10    5, 10    10, 10   6, 11
///   half     1, 1    2, 4     1, 2     5, 5     3, 5
///
/// op are the slots of the function on one register, and vec its slots on a vector in the loop.
/// Source: graphcore/poplibs lib/popnn/popnnCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: half and float; exact gelu (erf) has a UnaryOp vertex only. The library uses these
/// vertices for gelu and swish, and UnaryOp for the rest.
Cycles nonLinearityCycles(const Architecture& machine, const NonLinearityShape& shape);

/// Issue slots of a NonLinearity2D(InPlace) vertex on one worker, plain pointers:
///
///   14 (swish in place 6) + sum (10 | 13 + loop(floor(n / V)) + tail)
///   tail: float 2 + (2 + op) [r > 0]; half as above. a | b: float | half
///
/// Swish in place costs less, because the published expression binds that way.
/// Source: as above.
Cycles nonLinearity2dCycles(const Architecture& machine, const NonLinearity2dShape& shape);

/// Tile cycles of a NonLinearityGrad1D vertex, with V, n and r as above:
///
///   9 + W (20 + (3 scaled pointers) + loop(ceil(floor(n / V) / W)) + tail)
///   loop(q) = 5 + (q - 1) vec, nothing for q = 0
///   tail: float 4 + (op + 1) [r > 0]; half 6 + (op + 2) [r >= 2] + (op + 4) [r odd]
///
///   op, vec  relu, sigmoid, tanh  gelu     gelu (erf)  swish
///   float    3, 3                 10, 10   30, 30      10, 15
///   half     3, 3                 5, 5     15, 15      7, 9
///
/// Source: as above.
Cycles nonLinearityGradCycles(const Architecture& machine, const NonLinearityShape& shape);

/// Issue slots of a NonLinearityGrad2D vertex on one worker, plain pointers:
///
///   17 + sum (10 + loop(floor(n / V)) + tail)
///   tail: float 2 + (op + 1) [r > 0]; half 4 + (op + 2) [r >= 2] + (op + 4) [r odd]
///
/// Source: as above.
Cycles nonLinearityGrad2dCycles(const Architecture& machine, const NonLinearity2dShape& shape);

}  // namespace ipusim::models
