// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <type_traits>

typedef _Float16 half;

// The C++ library of the compiler may know nothing of half.
template <>
struct std::numeric_limits<half> {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool is_iec559 = true;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int radix = 2;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int min_exponent = -13;
  static constexpr int max_exponent = 16;
  static constexpr half min() { return half(0x1p-14f); }
  static constexpr half max() { return half(65504.0f); }
  static constexpr half lowest() { return half(-65504.0f); }
  static constexpr half epsilon() { return half(0x1p-10f); }
  static constexpr half denorm_min() { return half(0x1p-24f); }
  static constexpr half infinity() { return half(__builtin_inff()); }
  static constexpr half quiet_NaN() { return half(__builtin_nanf("")); }
};
