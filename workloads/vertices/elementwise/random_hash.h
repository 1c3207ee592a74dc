// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::workloads {

/// A well-mixed hash of 64 bits (splitmix64, public domain, S. Vigna). It stands for the machine's
/// own generator of random numbers, which is not published.
constexpr std::uint64_t mixedBits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace ipusim::workloads
