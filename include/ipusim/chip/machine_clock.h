// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "ipusim/units.h"

namespace ipusim {

/// The machine's clock in SystemC's time. Inside the chip time is whole cycles. SystemC's time is
/// rounded to its resolution from the cycle count each time, so that no error adds up.
///
/// At a resolution of 1 fs the kernel counts to two and a half hours, and a Repeat may take longer.
/// Beyond `kLatest` the kernel's time stands still: what is left of it is the order of events, on
/// which no cycle count depends.
class MachineClock {
 public:
  /// Reads the kernel's resolution, which must not change afterwards.
  explicit MachineClock(double clock_hz)
      : ticks_per_cycle_(1 / (static_cast<long double>(clock_hz) *
                              sc_core::sc_get_time_resolution().to_seconds())) {}

  /// Whether a cycle has ticks enough to tell it from the next one.
  [[nodiscard]] bool isResolved() const { return ticks_per_cycle_ >= kFewestTicks; }

  /// When `cycles` have passed since the start, or how long they take.
  [[nodiscard]] sc_core::sc_time at(Cycles cycles) const {
    const long double ticks = static_cast<long double>(cycles.value()) * ticks_per_cycle_ + 0.5L;
    const bool late = ticks >= static_cast<long double>(kLatest);
    return sc_core::sc_time::from_value(late ? kLatest : static_cast<std::uint64_t>(ticks));
  }

  /// How long it is from now until that cycle; nothing when it has passed.
  [[nodiscard]] sc_core::sc_time untilCycle(Cycles cycle) const {
    const sc_core::sc_time then = at(cycle);
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    return then > now ? then - now : sc_core::SC_ZERO_TIME;
  }

  /// Whole cycles that `duration` takes. A part-used cycle counts, a tick of rounding does not.
  [[nodiscard]] Cycles cyclesIn(const sc_core::sc_time& duration) const {
    const auto ticks = static_cast<long double>(duration.value());
    if (ticks <= 1) return Cycles(0);
    const long double cycles = (ticks - 1) / ticks_per_cycle_;
    const auto whole = static_cast<std::uint64_t>(cycles);
    return Cycles(whole + (static_cast<long double>(whole) < cycles ? 1 : 0));
  }

  [[nodiscard]] static bool isLatest(const sc_core::sc_time& time) {
    return time.value() >= kLatest;
  }

 private:
  static constexpr std::uint64_t kLatest = std::uint64_t{1} << 63;
  static constexpr long double kFewestTicks = 4;

  long double ticks_per_cycle_;
};

}  // namespace ipusim
