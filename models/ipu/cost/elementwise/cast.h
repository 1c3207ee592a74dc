// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/data_type.h"
#include "models/ipu/cost/regions.h"

namespace ipusim::models {

/// How the inner loop of a cast walks its elements.
enum class CastLoop : std::uint8_t {
  Vectors,     ///< half and float, half and quarter: as many at a time as one load or store moves
  OneByOne,    ///< any pair that is not named here
  ByteToHalf,  ///< unsigned char to half, four at a time
  HalfToByte,  ///< half to an 8-bit integer, four at a time
  QuarterToByte,
  ByteToQuarter,
  QuarterToQuarter,
  SignedTo64Bits,  ///< int, short and char
  OtherTo64Bits,
};

/// The types of a cast.
struct CastTypes {
  CastLoop loop;
  Bytes from;  ///< size of an element of the source; `to` is that of the destination
  Bytes to;
};

/// The loop that the library has for these types.
CastTypes castTypes(DataType from, DataType to);

/// A cast of one run of elements.
using CastShape = RunShape<CastTypes>;

/// Tile cycles of a Cast1D vertex, spread over all workers W:
///
///   12 + W (18 + g(ceil(elements / W)))
///
/// g(n) are the issue slots of the loop over n elements and of the code around it:
///
///   Vectors     19 + c floor(n / v) + log2 v + 2 ones(n mod v), ones: bits that are set,
///               v = min(2 load, store) elements at a time, c = ceil(v / load) slots for them
///   OneByOne    19 + 2 n
///   to 64 bits  3 + 5 n from int, short and char, else 3 + 4 n
///   the others  start + (first + next (q - 1) if q > 0) + rest[r], q = floor(n / u), r = n mod u;
///               rest[0 .. 3], from there on rest[1] r
///
///                      u   start  first  next  rest
///   ByteToHalf         4   4      14     9     2, 12, 14, 22
///   HalfToByte         4   8      19     16    2, 14, 21, 29
///   QuarterToByte      8   4      0      28    2, 5, 5, 5
///   ByteToQuarter      8   4      0      37    2, 7, 7, 7
///   QuarterToQuarter   8   4      0      13    2, 5, 5, 5
///
/// load and store are the elements of either type that one load or store moves.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: all types of DataType.
Cycles castCycles(const Architecture& machine, const CastShape& shape);

/// Issue slots of a Cast1DSingleWorker vertex: 5 + g(elements), with g as above.
/// Source: as above.
Cycles castWorkerCycles(const Architecture& machine, const CastShape& shape);

/// A cast of a list of runs.
using Cast2dShape = RegionsShape<CastTypes>;

/// Issue slots of a Cast2D vertex on one worker: 5 + sum over regions (11 + g), with g as above.
/// Source: as above.
Cycles cast2dCycles(const Architecture& machine, const Cast2dShape& shape);

}  // namespace ipusim::models
