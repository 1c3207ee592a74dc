// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::models {

/// How a vertex holds its pointers.
enum class PointerLayout : std::uint8_t {
  Plain,      ///< the only layout on machines with more than 512 KiB per tile
  Scaled64,   ///< 16 bits, in units of 8 bytes
  ShortSpan,  ///< a pointer and a length in 32 bits
};

/// Issue slots that make an address from a pointer.
/// Source: the unpack costs of graphcore/poplibs lib/popops/popopsCycleEstimators.cpp (MIT).
constexpr std::uint64_t unpackSlots(PointerLayout layout) {
  if (layout == PointerLayout::Plain) return 0;
  return layout == PointerLayout::Scaled64 ? 1 : 2;
}

}  // namespace ipusim::models
