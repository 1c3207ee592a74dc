// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

constexpr bool isPowerOfTwo(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

/// Largest exponent whose power of two is not above `value`. Needs value > 0.
constexpr std::uint64_t floorLog2(std::uint64_t value) {
  std::uint64_t exponent = 0;
  while ((value >>= 1U) != 0) ++exponent;
  return exponent;
}

/// Smallest exponent whose power of two is not below `value`. Needs value > 0.
constexpr std::uint64_t ceilLog2(std::uint64_t value) {
  return value > 1 ? floorLog2(value - 1) + 1 : 0;
}

}  // namespace ipusim
