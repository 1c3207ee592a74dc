// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "poplar/Target.hpp"

namespace popfloat {
namespace experimental {

/// The bits of the binary16 number nearest to `value`.
inline std::uint16_t singleToHalf(float value) {
  std::uint16_t bits = 0;
  poplar::copyFloatToDeviceHalf(poplar::Target(), &value, &bits, 1);
  return bits;
}

/// The value of a binary16 number.
inline float halfToSingle(std::uint16_t bits) {
  float value = 0;
  poplar::copyDeviceHalfToFloat(poplar::Target(), &bits, &value, 1);
  return value;
}

}  // namespace experimental
}  // namespace popfloat
