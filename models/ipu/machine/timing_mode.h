// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// What the reported time of a run covers.
enum class TimingMode : std::uint8_t {
  Program,       ///< the program as the machine runs it
  TileCounters,  ///< what cycle counters around each vertex show, less the cost of reading them: no
                 ///< sync, no launch
  TileCountersRaw,  ///< what cycle counters show, with the cost of reading them
};

}  // namespace ipusim
