// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ipusim::workloads {

/// An 8-bit float in tile memory: a sign, 4 bits of exponent with a bias of 8, and 3 bits of
/// fraction. Numbers are rounded to nearest even, and those beyond 240 become 240. There are no
/// infinities, and the bits of minus zero stand for what is no number.
/// Source: Noune et al., 8-bit Numerical Formats for Deep Neural Networks (arXiv 2206.02915).
class Quarter {
 public:
  Quarter() = default;
  explicit Quarter(float value) : bits_(bitsOf(value)) {}

  explicit operator float() const {
    if (bits_ == kNoNumber) return std::nanf("");
    const int exponent = (bits_ >> kFractionBits) & 0xF;
    const int fraction = bits_ & 0x7;
    const float magnitude =
        exponent == 0
            ? std::ldexp(static_cast<float>(fraction), kLeastExponent - kFractionBits)
            : std::ldexp(static_cast<float>(fraction + 8), exponent - kBias - kFractionBits);
    return (bits_ & kSign) != 0 ? -magnitude : magnitude;
  }
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }

  [[nodiscard]] std::uint8_t bits() const { return bits_; }

 private:
  static constexpr std::uint8_t kSign = 0x80;
  static constexpr std::uint8_t kNoNumber = 0x80;
  static constexpr int kBias = 8;
  static constexpr int kFractionBits = 3;
  static constexpr int kLeastExponent = 1 - kBias;  ///< of numbers with a leading one
  static constexpr float kLargest = 240;

  static std::uint8_t bitsOf(float value) {
    if (std::isnan(value)) return kNoNumber;
    const float magnitude = std::fmin(std::fabs(value), kLargest);
    const int exponent = magnitude == 0 ? kLeastExponent : std::ilogb(magnitude);
    const int scale = std::max(exponent, kLeastExponent) - kFractionBits;
    // In units of the last place. 16 of them are 8 of the next exponent, whose bits follow.
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -scale)));
    if (units == 0) return 0;
    const int code = units + ((scale + kFractionBits - kLeastExponent) << kFractionBits);
    const bool is_negative = std::signbit(value);
    return static_cast<std::uint8_t>(code | (is_negative ? kSign : 0));
  }

  std::uint8_t bits_ = 0;
};

}  // namespace ipusim::workloads
