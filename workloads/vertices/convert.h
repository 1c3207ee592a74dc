// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "workloads/vertices/number.h"

// Converts arrays of elements to arrays of floats and back. A compute function works on many
// elements as floats, which the compiler can turn into vector instructions.

namespace ipusim::workloads {

/// Every half and every float is a float without loss.
void toFloats(const Half* from, std::uint64_t count, float* to);
inline void toFloats(const float* from, std::uint64_t count, float* to) {
  std::copy_n(from, count, to);
}

/// Halves are rounded to nearest even. A NaN becomes a NaN: its other bits depend on the processor.
void fromFloats(const float* from, std::uint64_t count, Half* to);
inline void fromFloats(const float* from, std::uint64_t count, float* to) {
  std::copy_n(from, count, to);
}

/// The numbers as floats: at their own place where they are floats, otherwise in `scratch`.
inline const float* floatsOf(const float* from, std::uint64_t /*count*/,
                             std::vector<float>& /*scratch*/) {
  return from;
}
inline const float* floatsOf(const Half* from, std::uint64_t count, std::vector<float>& scratch) {
  scratch.resize(count);
  toFloats(from, count, scratch.data());
  return scratch.data();
}

/// The bits of the half nearest to `value`, by instructions that every processor has.
std::uint16_t halfBits(float value);
/// The float that the bits of a half stand for, by instructions that every processor has.
float floatOfHalfBits(std::uint16_t half);

}  // namespace ipusim::workloads
