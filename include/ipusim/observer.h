// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/ids.h"
#include "ipusim/tile_program.h"
#include "ipusim/units.h"

namespace ipusim {

/// Something that lasted from cycle `begin` to cycle `end`, and counts for `step`.
struct Interval {
  StepId step;
  Cycles begin;
  Cycles end;
  /// How many iterations of the surrounding Repeats the interval stands for. Iterations after the
  /// second repeat the second and are not simulated: one interval of the second stands for all.
  std::uint64_t iterations;
};

/// An interval stands for `inner` iterations of its own Repeat, and that Repeat is inside an
/// iteration that stands for `outer`. Returns how many iterations the interval stands for in all.
/// Returns kLastCycle where 64 bits cannot hold them: so many iterations of anything that takes
/// time pass that cycle.
constexpr std::uint64_t iterationsInside(std::uint64_t outer, std::uint64_t inner) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(outer, inner, &product) ? kLastCycle.value() : product;
}

/// Hears what happens on the chip, and when. Both engines tell the same events, each in an order of
/// its own. An observer must not throw, and cannot change what happens.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  /// `tile` was busy with an op of that kind. A Sync lasts from the arrival of the tile until it
  /// goes on. Ops that take no time are not reported.
  virtual void busy(TileId tile, OpKind kind, const Interval& when) = 0;
  /// The sender's port was held by entry `transmission` of ChipPrograms::transmissions.
  virtual void transmission(std::uint32_t transmission, const Interval& when) = 0;
  /// A sync lasted from the last request at the controller to its release.
  virtual void sync(const Interval& when) = 0;
  /// The host link was held by entry `transfer` of ChipPrograms::host_transfers.
  virtual void hostTransfer(std::uint32_t transfer, const Interval& when) = 0;
};

}  // namespace ipusim
