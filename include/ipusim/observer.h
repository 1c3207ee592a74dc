// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/ids.h"
#include "ipusim/tile_program.h"
#include "ipusim/units.h"

namespace ipusim {

/// Something that lasted from the cycle `begin` up to `end` and was booked to `step`.
struct Interval {
  StepId step;
  Cycles begin;
  Cycles end;
  /// How many iterations of the Repeats around it the interval stands for. Those after the second
  /// are like the second, and are not simulated: the interval is that of the second one then.
  std::uint64_t iterations;
};

/// How many iterations one of `inner` stands for that is inside one that stands for `outer`.
/// kLastCycle where 64 bits do not hold it: as many iterations of anything that takes time pass it.
constexpr std::uint64_t iterationsInside(std::uint64_t outer, std::uint64_t inner) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(outer, inner, &product) ? kLastCycle.value() : product;
}

/// Hears what happens on the chip, and when. Either engine tells the same, in an order of its own.
/// An observer throws nothing, and does not change what it hears of.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// `tile` was busy with an op of that kind; for a Sync that is the wait from its arrival to its
  /// going on. Ops that take no time are not told.
  virtual void busy(TileId tile, OpKind kind, const Interval& when) = 0;
  /// The sender's port was held. `transmission` is into ChipPrograms::transmissions.
  virtual void transmission(std::uint32_t transmission, const Interval& when) = 0;
  /// From the last request at the sync controller to its release.
  virtual void sync(const Interval& when) = 0;
  /// The host link was held. `transfer` is into ChipPrograms::host_transfers.
  virtual void hostTransfer(std::uint32_t transfer, const Interval& when) = 0;
};

}  // namespace ipusim
