// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// Rows copied from places that an index names to consecutive ones.
struct Gather {
  std::uint64_t rows;
  Bytes row;          ///< that lies in one piece
  Bytes index;        ///< read for each row; none where the kernel knows the pattern
  Bytes working_set;  ///< at least the rows read and those written
};

/// Reads go by sectors of 32 bytes, so that a short row costs a whole one. Time as for an
/// elementwise kernel. Source of the sector: NVIDIA CUDA C++ Programming Guide, compute capability
/// 8.0. Calibrated: no. Valid for: rows aligned to a sector or longer than a few.
Breakdown gatherTime(const Machine& machine, const Gather& gather);

}  // namespace ipusim::gpu
