// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::models {

/// How a vertex holds its pointers.
enum class PointerLayout : std::uint8_t {
  Plain,     ///< all there is on machines with more than 512 KiB a tile
  Scaled64,  ///< 16 bits, in units of 8 bytes
};

}  // namespace ipusim::models
