// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The code of a Fill vertex.
enum class FillCode : std::uint8_t {
  OfSize,   ///< the code of all types with elements of that size
  Quarter,  ///< the code of floats, for 8-bit floating point
};

/// One Fill vertex: sets a run of elements to one value. Clearing memory is filling it with zero.
struct FillShape {
  Bytes element;  ///< 1, 2, 4 or 8
  std::uint64_t elements;
  FillCode code = FillCode::OfSize;
};

/// Issue slots of a Fill vertex on one worker, for n elements:
///
///   1 byte   28 + floor(n / 4) below 64 elements, else 39 + floor(n / 8)
///   2 bytes  26 + floor(n / 4); 15 for one element, 21 for two
///   4 bytes  23 + floor(n / 2) + n mod 2
///   8 bytes  5 + n
///   quarter  as 4 bytes: 23 + floor(n / 2) + n mod 2
///
/// A worker stores 8 bytes per issue slot. Bytes that do not fill a word need a read before the
/// write.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
/// Valid for: half, when the element has 2 bytes.
Cycles fillCycles(const Architecture& machine, const FillShape& shape);

/// One Fill2d vertex, for a list of runs.
struct Fill2dShape {
  Bytes element;
  std::vector<std::uint64_t> regions;  ///< elements of each run
  FillCode code = FillCode::OfSize;
};

/// Issue slots of a Fill2d vertex on one worker:
///
///   entry + sum over regions (fillCycles - saved)
///
/// entry is 5 and saved is 2 for elements of 2 and 8 bytes; otherwise they are 6 and 3. All runs
/// but the first skip part of what a Fill spends before its loop.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
/// Calibrated: no.
Cycles fill2dCycles(const Architecture& machine, const Fill2dShape& shape);

}  // namespace ipusim::models
