// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::compiler {

constexpr std::uint32_t kWordBits = 64;

/// Number of the lowest bit set. Needs one.
inline std::uint32_t lowestBit(std::uint64_t word) {
  return static_cast<std::uint32_t>(__builtin_ctzll(word));
}

}  // namespace ipusim::compiler
