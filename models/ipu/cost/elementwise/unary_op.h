// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/data_type.h"
#include "models/ipu/cost/elementwise/op_placement.h"
#include "models/ipu/cost/regions.h"

namespace ipusim::models {

/// Operators on one operand.
enum class UnaryOp : std::uint8_t {
  Absolute,
  Asin,
  BitwiseNot,
  CubeRoot,
  Ceil,
  Cos,
  CountLeadingZeros,
  Erf,
  Exponent,
  Exponent2,
  ExponentMinusOne,
  Floor,
  GeluErf,
  Inverse,
  IsFinite,
  IsInf,
  IsNaN,
  Logarithm,
  LogarithmOnePlus,
  LogicalNot,
  NearbyInt,
  Negate,
  PopCount,
  Relu,
  Round,
  Rsqrt,
  Sigmoid,
  Signum,
  Sin,
  Sqrt,
  Square,
  Tan,
  Tanh,
  Truncate,
};

/// The operator of a vertex, and the type of its operand.
struct UnaryOpKind {
  UnaryOp op;
  DataType type;
  OpPlacement placement = OpPlacement::OutOfPlace;
};

/// One UnaryOp1D or UnaryOp1DInPlace vertex, for one run of elements.
using UnaryOpShape = RunShape<UnaryOpKind>;

/// Tile cycles of a UnaryOp1D(InPlace) vertex, spread over all workers W:
///
///   20 + W (start + f(ceil(elements / W)))    start: 17, exponent 33, in place 55
///
/// f(n) = c ceil(n / u), c issue slots per u elements, when the operator has its own codelet. f(n)
/// = floor(c (n + u - 1) / u) when it is a template over vectors of u (marked ~).
///
///   op            float     half      float in place   half in place
///   exponent      6 / 2     4 / 4     6 / 2            4 / 4
///   gelu_erf      22 / 1    16 / 1    22 / 1           16 / 1
///   inverse       6 / 2     15 / 4    6 / 2            15 / 4
///   logarithm     12 / 2    4 / 4     14 / 2           6 / 4
///   negate        2 / 2     2 / 4     3 / 2            3 / 4
///   relu          3 / 2     3 / 4     2 / 2            2 / 4
///   rsqrt         8 / 2     19 / 4    8 / 2            19 / 4
///   sigmoid       12 / 2    6 / 4     10 / 2           4 / 4
///   sqrt          10 / 2    23 / 4    10 / 2           23 / 4
///   square        2 / 2     2 / 4     2 / 2            2 / 4
///   tanh          12 / 2    4 / 4     10 / 2           2 / 4
///   absolute      5 / 1     5 / 1     5 / 2 ~          5 / 4 ~
///   ceil          6 / 2 ~   6 / 4 ~   6 / 2 ~          6 / 4 ~
///   signum        9 / 2 ~   9 / 4 ~   9 / 2 ~          9 / 4 ~
///   expm1         8 / 1     9 / 4 ~   8 / 1            9 / 4 ~
///   log1p         22 / 2 ~  22 / 4 ~  22 / 2 ~         21 / 4 ~
///   the other operators and types: unary_op.cpp
///
/// The arithmetic has typical latencies.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: the pairs of unary_op.cpp.
Cycles unaryOpCycles(const Architecture& machine, const UnaryOpShape& shape);

/// One UnaryOp2D or UnaryOp2DInPlace vertex, for a list of runs.
using UnaryOp2dShape = RegionsShape<UnaryOpKind>;

/// Issue slots of the vertex on one worker: 20 + sum over regions f, with f as above.
/// Source: as above.
Cycles unaryOp2dCycles(const Architecture& machine, const UnaryOp2dShape& shape);

}  // namespace ipusim::models
