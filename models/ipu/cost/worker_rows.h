// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::models {

/// The work of the workers of a convolution vertex at each kernel position: rows[worker] lists the
/// number of field positions of each of its rows.
using WorkerRows = std::vector<std::vector<std::uint64_t>>;

}  // namespace ipusim::models
