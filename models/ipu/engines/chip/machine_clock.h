// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "ipusim/units.h"

namespace ipusim::models {

/// The machine's clock in SystemC's time. The chip counts time in whole cycles. Every conversion to
/// SystemC's time starts from the cycle count, so that rounding errors do not add up.
///
/// At a resolution of 1 fs the kernel counts to two and a half hours, and a Repeat may take longer.
/// Beyond `kLatest` the kernel's time stands still. The kernel then only keeps the order of events,
/// on which no cycle count depends.
class MachineClock {
 public:
  /// Reads the kernel's resolution, which must not change later.
  explicit MachineClock(double clock_hz)
      : ticks_per_cycle_(1 / (static_cast<long double>(clock_hz) *
                              sc_core::sc_get_time_resolution().to_seconds())) {}

  /// True when a cycle has enough ticks to tell it from the next one.
  [[nodiscard]] bool isResolved() const { return ticks_per_cycle_ >= kFewestTicks; }

  /// The time at which `cycles` have passed since the start; also the time that `cycles` take.
  [[nodiscard]] sc_core::sc_time at(Cycles cycles) const {
    const long double ticks = static_cast<long double>(cycles.value()) * ticks_per_cycle_ + 0.5L;
    const bool late = ticks >= static_cast<long double>(kLatest);
    return sc_core::sc_time::from_value(late ? kLatest : static_cast<std::uint64_t>(ticks));
  }

  /// The time from now until `cycle`, or zero when `cycle` has passed.
  [[nodiscard]] sc_core::sc_time untilCycle(Cycles cycle) const {
    const sc_core::sc_time then = at(cycle);
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    return then > now ? then - now : sc_core::SC_ZERO_TIME;
  }

  /// Whole cycles that `duration` takes. A part-used cycle counts. One tick, which rounding may
  /// add, does not.
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

}  // namespace ipusim::models
