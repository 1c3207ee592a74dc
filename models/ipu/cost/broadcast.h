// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/cost/binary_op.h"
#include "models/ipu/machine.h"
#include "sim/base/units.h"

namespace ipusim::models {

/// One BroadcastScalar1D(InPlace) vertex: a run of elements and one scalar.
struct BroadcastScalarShape {
  BinaryOpKind kind;
  std::uint64_t elements;
};

/// Tile cycles of a BroadcastScalar1D(InPlace) vertex, spread over all workers W:
///
///   11 + W (20 + f(ceil(elements / W))),  f(n) = c ceil(n / u): c issue slots for u elements
///
///   op               float    half
///   add, sub, mul    2 / 2    2 / 4
///   divide           6 / 2    8 / 2
///   max, min         3 / 2    3 / 4
///
/// In place costs the same. Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no. Valid for: half and float.
Cycles broadcastScalarCycles(const Machine& machine, const BroadcastScalarShape& shape);

/// How many scalars a 2D vertex has.
enum class BroadcastScalars : std::uint8_t {
  One,     ///< BroadcastScalar2DData: one for all runs
  PerRun,  ///< BroadcastScalar2D: one for each
};

/// One BroadcastScalar2D(Data)(InPlace) vertex: a list of runs.
struct BroadcastScalar2dShape {
  BinaryOpKind kind;
  BroadcastScalars scalars;
  std::vector<std::uint64_t> regions;  ///< elements of each run
};

/// Issue slots of the vertex on one worker: 20 + sum over regions (28 + f), f as above; with a
/// scalar a run add, sub and mul take 5 slots instead of 2. Same source.
Cycles broadcastScalar2dCycles(const Machine& machine, const BroadcastScalar2dShape& shape);

/// How the workers share the rows and columns of a BroadcastVectorOuter vertex.
enum class OuterSplit : std::uint8_t { ByRow, ByColumn };

/// Whether a row may start inside a word of the data path.
enum class RowAlignment : std::uint8_t { Aligned, Misaligned };

/// One BroadcastVectorOuter vertex: an element of the vector for each row.
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
/// V: elements of a vector. By row r = ceil(rows / W), c = columns; by column r = rows,
/// c = ceil(columns / W). Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no. Valid for: add, subtract and multiply of half and float.
Cycles broadcastOuterCycles(const Machine& machine, const BroadcastOuterShape& shape);

/// One BroadcastVectorInner1D(InPlace) vertex: to each of `slices` parts, a vector of `length`
/// elements is applied `repeats` times in a row. A bias is one slice, repeated for every row.
struct BroadcastInnerShape {
  BinaryOpKind kind;  ///< add, subtract, multiply
  std::uint64_t length;
  std::uint64_t slices;
  std::uint64_t repeats;
};

/// Tile cycles of a BroadcastVectorInner1D(InPlace) vertex, l elements, s slices, b = ceil(repeats
/// / W) blocks a worker (none for no repeats):
///
///   total = 13 + call + W worker        call: 24; add in place 12; multiply W 17 + 12 (in place
///   24) float: worker = 17 + s ((17 if s > 1) + core),   core = 2 + (5 + l (8 + 2 b) if b > 0)
///   half:  worker = 19 + (7 if l odd) + (7 if multiply) + s ((17 if s > 1) + core)
///     add, subtract, l a multiple of 8 up to 2048:
///                  core = 8 + (3 + 7 l / 8 if b = 1, else 4 + (13 + 2 b) l / 8)
///       otherwise  core = (9 if l > 2048, 13 if b = 1, else 15) + l (5 + 9 b)
///     multiply, l a multiple of 4:
///                  core = 15 + 7 l / 4 if b = 1, else 9 + (7 + 2 b) l / 4
///       otherwise  core = 8 + l (5 + 9 b)
///
/// The forms for half are fitted to what the estimators give, to the cycle on every row of
/// tests/oracle/broadcast_vector_inner.csv in their range.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT). Calibrated: no.
/// Valid for: half and float; half multiply by multiples of 4 up to 2048.
Cycles broadcastInnerCycles(const Machine& machine, const BroadcastInnerShape& shape);

}  // namespace ipusim::models
