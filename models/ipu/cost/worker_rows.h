// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::models {

/// The work of the workers of a convolution vertex at each kernel position: rows[worker] lists the
/// number of field positions of each of its rows.
using WorkerRows = std::vector<std::vector<std::uint64_t>>;

/// Slots of the workers of a tile at each kernel position.
struct WorkerSlots {
  std::uint64_t slowest;
  std::uint64_t fastest;
};

}  // namespace ipusim::models
