// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/error.h"

namespace ipusim {

/// `a + b`. Throws CountError where its type cannot hold it.
template <typename Integer>
constexpr Integer checkedSum(Integer a, Integer b) {
  Integer sum{};
  if (__builtin_add_overflow(a, b, &sum)) throwCountError();
  return sum;
}

/// `a * b`. Throws CountError where its type cannot hold it.
template <typename Integer>
constexpr Integer checkedProduct(Integer a, Integer b) {
  Integer product{};
  if (__builtin_mul_overflow(a, b, &product)) throwCountError();
  return product;
}

/// Smallest whole number not below `a / b`. Needs a >= 0 and b > 0.
template <typename Integer>
constexpr Integer ceilDiv(Integer a, Integer b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// Smallest multiple of `grain` not below `a`. Needs a >= 0 and grain > 0. Throws CountError where
/// its type cannot hold it.
template <typename Integer>
constexpr Integer roundUp(Integer a, Integer grain) {
  return checkedProduct(ceilDiv(a, grain), grain);
}

/// A whole number of things of one kind. Kinds never mix: a function that converts between them has
/// a name (`cyclesFor`, `secondsOf`). A sum or a product beyond 64 bits is a CountError and never
/// wraps.
template <typename Tag>
class Count {
 public:
  constexpr Count() = default;
  constexpr explicit Count(std::uint64_t value) : value_(value) {}
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  constexpr Count& operator+=(Count other) {
    value_ = checkedSum(value_, other.value_);
    return *this;
  }
  friend constexpr Count operator+(Count a, Count b) {
    return Count(checkedSum(a.value_, b.value_));
  }
  friend constexpr Count operator*(Count a, std::uint64_t times) {
    return Count(checkedProduct(a.value_, times));
  }
  friend constexpr Count operator*(std::uint64_t times, Count a) { return a * times; }
  friend constexpr bool operator==(Count a, Count b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Count a, Count b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Count a, Count b) { return a.value_ < b.value_; }
  friend constexpr bool operator<=(Count a, Count b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>(Count a, Count b) { return a.value_ > b.value_; }
  friend constexpr bool operator>=(Count a, Count b) { return a.value_ >= b.value_; }

 private:
  std::uint64_t value_ = 0;
};

using Cycles = Count<struct CyclesTag>;
using Bytes = Count<struct BytesTag>;
using Flops = Count<struct FlopsTag>;

/// `a - b`, or zero when `b` is larger.
template <typename Tag>
constexpr Count<Tag> excess(Count<Tag> a, Count<Tag> b) {
  return Count<Tag>(a > b ? a.value() - b.value() : 0);
}

/// Smallest multiple of `grain` not below `a`, and largest multiple not above it. Both functions
/// need a grain above zero.
template <typename Tag>
constexpr Count<Tag> roundUp(Count<Tag> a, Count<Tag> grain) {
  return Count<Tag>(roundUp(a.value(), grain.value()));
}
template <typename Tag>
constexpr Count<Tag> roundDown(Count<Tag> a, Count<Tag> grain) {
  return Count<Tag>(a.value() / grain.value() * grain.value());
}

/// How much of one kind moves in a cycle.
template <typename What>
class PerCycle {
 public:
  constexpr PerCycle() = default;
  constexpr explicit PerCycle(std::uint64_t value) : value_(value) {}
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};
using BytesPerCycle = PerCycle<Bytes>;

/// Whole cycles needed to move `amount`; a part-used cycle counts. Needs rate > 0.
template <typename What>
constexpr Cycles cyclesFor(What amount, PerCycle<What> rate) {
  return Cycles(ceilDiv(amount.value(), rate.value()));
}

/// The time that `cycles` take at a clock of `clock_hz`.
constexpr double secondsOf(Cycles cycles, double clock_hz) {
  return static_cast<double>(cycles.value()) / clock_hz;
}

namespace literals {
constexpr Cycles operator""_cycles(unsigned long long value) {
  return Cycles(value);
}
constexpr Bytes operator""_B(unsigned long long value) {
  return Bytes(value);
}
constexpr Bytes operator""_KiB(unsigned long long value) {
  return Bytes(value * 1024);
}
}  // namespace literals

}  // namespace ipusim
