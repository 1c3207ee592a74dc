// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/regions.h"

namespace ipusim::models {

/// One BroadcastScalar1D(InPlace) vertex, for one run of elements and one scalar.
using BroadcastScalarShape = RunShape<BinaryOpKind>;

/// Tile cycles of a BroadcastScalar1D(InPlace) vertex, spread over all workers W:
///
///   11 + W (20 + f(ceil(elements / W))),  f(n) = c ceil(n / u): c issue slots for u elements
///
///   op               float    half     int
///   add, sub, mul    2 / 2    2 / 4    6 / 1
///   max, min         3 / 2    3 / 4    6 / 1
///   divide           6 / 2    8 / 2    277 / 1
///   the other operators and types: binary_loops.cpp
///
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: the pairs of binary_loops.cpp; comparisons in place of bools only.
Cycles broadcastScalarCycles(const Architecture& machine, const BroadcastScalarShape& shape);

/// How many scalars a 2D vertex has.
enum class BroadcastScalars : std::uint8_t {
  One,     ///< BroadcastScalar2DData: one scalar for all runs
  PerRun,  ///< BroadcastScalar2D: one scalar per run
};

/// One BroadcastScalar2D(Data)(InPlace) vertex, for a list of runs.
struct BroadcastScalar2dShape {
  BinaryOpKind kind;
  BroadcastScalars scalars;
  std::vector<std::uint64_t> regions;  ///< elements of each run
};

/// Issue slots of the vertex on one worker: 20 + sum over regions (28 + f), with f as above. With
/// one scalar per run, add, sub and mul of half and float take 5 slots instead of 2.
/// Source: as above.
Cycles broadcastScalar2dCycles(const Architecture& machine, const BroadcastScalar2dShape& shape);

/// How the workers share the rows and columns of a BroadcastVectorOuter vertex.
enum class OuterSplit : std::uint8_t { ByRow, ByColumn };

/// Whether a row may start inside a word of the data path.
enum class RowAlignment : std::uint8_t { Aligned, Misaligned };

/// One BroadcastVectorOuter vertex, with one element of the vector per row.
struct BroadcastOuterShape {
  ElementType type;
  OuterSplit split;
  RowAlignment alignment;
  std::uint64_t rows;
  std::uint64_t columns;
};

/// Tile cycles of a BroadcastVectorOuterByRow1D or ByColumn1D vertex, in place or not:
///
///   11 + W (15 + r (7 + floor(2 (c + V - 1) / V)))    misaligned rows: 25 instead of 7
///
/// V is the number of elements of a vector. By row, r = ceil(rows / W) and c = columns. By column,
/// r = rows and c = ceil(columns / W).
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: add, subtract and multiply of half and float.
Cycles broadcastOuterCycles(const Architecture& machine, const BroadcastOuterShape& shape);

}  // namespace ipusim::models
