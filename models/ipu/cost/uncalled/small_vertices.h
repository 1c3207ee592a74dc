// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/data_type.h"

// Vertices whose published estimate is one line.
// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
// Calibrated: no.

namespace ipusim::models {

/// Issue slots of an EncodeOneHotCustomValues vertex: 100 n, a place-holder of the library.
Cycles encodeOneHotCustomCycles(std::uint64_t count);

/// Issue slots of an Iota vertex on one worker: 10 + sum over regions (4 + 3 ceil(n / 2)).
/// Valid for: integers of 32 bits.
Cycles iotaCycles(const std::vector<std::uint64_t>& regions);

/// Issue slots of a HadamardProd vertex on one worker: 5 + sum over regions (6 + 2 ceil(n / V)). V
/// is the number of elements of a vector.
/// Valid for: half and float.
Cycles hadamardProductCycles(const Architecture& machine, ElementType type,
                             const std::vector<std::uint64_t>& regions);

/// Tile cycles of a NormaliseImage vertex on n pixels, all W workers:
///
///   W (29 + 8 q) from unsigned char, W (52 + 11 q) from half, W (52 + 17 q) from float
///   q = floor(n / W), plus 1 when more than one pixel is left
Cycles normaliseImageCycles(const Architecture& machine, DataType type, std::uint64_t pixels);

/// One SequenceSlice vertex.
struct SequenceSliceShape {
  DataType type;
  std::uint64_t offsets;    ///< offsets of sources; none: nothing to do
  std::uint64_t rows;       ///< rows of the source or the destination, whichever has fewer
  std::uint64_t elements;   ///< elements of a row
  std::uint64_t sequences;  ///< t: number of sequences
};

/// Tile cycles of the vertex: 40 without offsets, otherwise 60 + W w ceil(t / W) + 60 t. A worker
/// copies w = ceil(2 floor(rows elements size / 4) / t) of a sequence.
Cycles sequenceSliceCycles(const Architecture& machine, const SequenceSliceShape& shape);

/// Issue slots of a SelectFromInterval or UpdateIntervalDEC vertex on one worker, n elements:
/// 27 + 8 n for float, 27 + 12 n for half.
Cycles intervalCycles(ElementType type, std::uint64_t elements);

}  // namespace ipusim::models
