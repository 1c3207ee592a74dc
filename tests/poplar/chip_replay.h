// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "ipusim/chip/simulate_chip.h"
#include "sim/poplar/engine_data.h"

/// The chip replays what the engine's clock wrote down, and takes the same cycles.
inline void expectEqualOnTheChip(const ipusim::models::StepClock& clock) {
  const ipusim::ChipPrograms programs =
      ipusim::models::replayOf(clock.recorded(), clock.record(), ipusim::kMostReplayedSteps);
  const ipusim::ChipResult chip = ipusim::simulateChip(programs, nullptr);
  EXPECT_EQ(chip.end, clock.end());
  for (std::uint32_t tile = 0; tile < chip.tiles; ++tile) {
    EXPECT_EQ(chip.finish[tile], clock.now(tile)) << "tile " << tile;
    for (std::uint32_t s = 0; s < clock.recorded().steps; ++s) {
      EXPECT_EQ(chip.busyOf(s, tile), clock.result().busyOf(s, tile)) << "step " << s;
    }
  }
}
