// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/element_type.h"
#include "models/ipu/machine.h"
#include "sim/base/units.h"

namespace ipusim::models {

/// How the inner loop of a cast goes over its elements.
enum class CastLoop : std::uint8_t {
  Vectors,     ///< half and float, as many at a time as a load or store moves
  OneByOne,    ///< any other pair that has a codelet
  ByteToHalf,  ///< unsigned char to half, four at a time
  HalfToByte,  ///< half to unsigned char, four at a time
};

/// What a cast turns into what.
struct CastTypes {
  CastLoop loop;
  Bytes from;  ///< size of an element
  Bytes to;
};

constexpr CastTypes kByteToHalf{CastLoop::ByteToHalf, Bytes(1), Bytes(2)};
constexpr CastTypes kHalfToByte{CastLoop::HalfToByte, Bytes(2), Bytes(1)};

/// The loop that the library has for these types.
CastTypes castTypes(ElementType from, ElementType to);

/// A cast of one run of elements.
struct CastShape {
  CastTypes types;
  std::uint64_t elements;
};

/// Tile cycles of a Cast1D vertex, spread over all workers W:
///
///   12 + W (18 + g(ceil(elements / W)))
///
/// g(n), issue slots of the loop over n elements and what stands around it:
///
///   Vectors     19 + c floor(n / v) + log2 v + 2 ones(n mod v), ones: bits that are set,
///               v = min(2 load, store) elements at a time, c = ceil(v / load) slots for them
///   OneByOne    19 + 2 n
///   ByteToHalf  9 floor(n / 4) + (5 if n >= 4) + (6, 16, 18, 26 for n mod 4 = 0, 1, 2, 3)
///   HalfToByte  16 floor(n / 4) + (3 if n >= 4) + (10, 22, 29, 37 for n mod 4 = 0, 1, 2, 3)
///
/// load, store: elements of either type that a load or store moves.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT); the byte loops are the
/// figures it gives, restated. Calibrated: no.
/// Valid for: half, float, 16- and 32-bit integers and bool; bytes from and to half only.
Cycles castCycles(const Machine& machine, const CastShape& shape);

/// Issue slots of a Cast1DSingleWorker vertex: 5 + g(elements), g as above. Same source.
Cycles castWorkerCycles(const Machine& machine, const CastShape& shape);

/// A cast of a list of runs.
struct Cast2dShape {
  CastTypes types;
  std::vector<std::uint64_t> regions;  ///< elements of each run
};

/// Issue slots of a Cast2D vertex on one worker: 5 + sum over regions (11 + g), g as above. Same
/// source.
Cycles cast2dCycles(const Machine& machine, const Cast2dShape& shape);

}  // namespace ipusim::models
