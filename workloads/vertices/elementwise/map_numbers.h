// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "workloads/vertices/convert.h"

// Loops over arrays of halves or floats that compute in float.

namespace ipusim::workloads {

/// How many numbers are converted at a time: they stay in the processor's nearest cache. They lie
/// in arrays of their own, so that the compiler knows that no result is read again.
constexpr std::uint64_t kNumbersAtOnce = 256;
using SomeFloats = std::array<float, kNumbersAtOnce>;

/// out[i] = function(in[i]) for i < count. `out` may be `in`.
template <typename Function, typename In, typename Out>
void mapNumbers(std::uint64_t count, const Function& function, const In* in, Out* out) {
  SomeFloats numbers;
  for (std::uint64_t first = 0; first < count; first += kNumbersAtOnce) {
    const std::uint64_t some = std::min(kNumbersAtOnce, count - first);
    toFloats(in + first, some, numbers.data());
    for (std::uint64_t i = 0; i < some; ++i) numbers[i] = function(numbers[i]);
    fromFloats(numbers.data(), some, out + first);
  }
}

/// out[i] = function(left[i], right[i]) for i < count. `out` may be `left` or `right`.
template <typename Function, typename Left, typename Right, typename Out>
void mapNumbers(std::uint64_t count, const Function& function, const Left* left, const Right* right,
                Out* out) {
  SomeFloats lefts;
  SomeFloats rights;
  for (std::uint64_t first = 0; first < count; first += kNumbersAtOnce) {
    const std::uint64_t some = std::min(kNumbersAtOnce, count - first);
    toFloats(left + first, some, lefts.data());
    toFloats(right + first, some, rights.data());
    for (std::uint64_t i = 0; i < some; ++i) lefts[i] = function(lefts[i], rights[i]);
    fromFloats(lefts.data(), some, out + first);
  }
}

}  // namespace ipusim::workloads
