// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ipusim::models {

/// What the workers of a convolution vertex do at each kernel position: rows[worker] lists how many
/// field positions each of its rows has.
using WorkerRows = std::vector<std::vector<std::uint64_t>>;

}  // namespace ipusim::models
