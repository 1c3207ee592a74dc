// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// Copies rows, whose places an index names, to consecutive places.
struct Gather {
  std::uint64_t rows;
  Bytes row;          ///< bytes of a row, which are consecutive
  Bytes index;        ///< bytes of the index of a row; zero when the kernel knows the pattern
  Bytes working_set;  ///< at least the rows read and those written
};

/// Reads go by sectors of 32 bytes, so a short row costs a whole sector. The time is that of an
/// elementwise kernel. Source of the sector: NVIDIA CUDA C++ Programming Guide, compute capability
/// 8.0.
/// Calibrated: no.
/// Valid for: rows that are aligned to a sector or much longer than one.
Breakdown gatherTime(const Machine& machine, const Gather& gather);

}  // namespace ipusim::gpu
