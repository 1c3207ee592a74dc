// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::compiler {

constexpr std::uint32_t kWordBits = 64;

/// Number of the lowest bit that is set. At least one bit must be set.
inline std::uint32_t lowestBit(std::uint64_t word) {
  return static_cast<std::uint32_t>(__builtin_ctzll(word));
}

/// How many bits the number has up to its highest set one; 0 for 0.
inline std::uint32_t bitWidth(std::uint64_t number) {
  return number == 0 ? 0 : kWordBits - static_cast<std::uint32_t>(__builtin_clzll(number));
}

}  // namespace ipusim::compiler
