// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// What the time of a run stands for.
enum class TimingMode : std::uint8_t {
  Program,       ///< the program as the machine runs it
  TileCounters,  ///< read off cycle counters around each vertex, less what reading costs: no sync,
                 ///< no launch
  TileCountersRaw,  ///< cycle counters as they stand, what reading costs included
};

}  // namespace ipusim
