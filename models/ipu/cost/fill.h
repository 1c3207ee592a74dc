// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Which code a Fill vertex has.
enum class FillCode : std::uint8_t {
  OfSize,   ///< that of all types with elements of a size
  Quarter,  ///< that of floats, for eight bits of floating point
};

/// One Fill vertex: a run of elements set to one value. To clear memory is to fill it with zero.
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
/// A worker stores 8 bytes an issue slot; bytes that fill no word need a read before the write.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT). Calibrated: no.
/// Valid for: half where the element has 2 bytes.
Cycles fillCycles(const Architecture& machine, const FillShape& shape);

/// One Fill2d vertex: a list of runs.
struct Fill2dShape {
  Bytes element;
  std::vector<std::uint64_t> regions;  ///< elements of each run
  FillCode code = FillCode::OfSize;
};

/// Issue slots of a Fill2d vertex on one worker:
///
///   entry + sum over regions (fillCycles - saved)
///
/// entry 5, saved 2 for elements of 2 and 8 bytes, else 6 and 3: the second and later runs skip
/// part of what a Fill spends before its loop.
/// Source: graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT). Calibrated: no.
Cycles fill2dCycles(const Architecture& machine, const Fill2dShape& shape);

}  // namespace ipusim::models
