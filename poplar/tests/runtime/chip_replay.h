// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "models/ipu/engines/closed_form/system_clock.h"
#include "models/ipu/engines/pod/simulate_system.h"

/// The cycles of all tiles of an engine are those of the clock.
inline void expectEqual(const ipusim::ChipResult& played,
                        const ipusim::models::SystemClock& clock) {
  const ipusim::ChipResult wanted = clock.result();
  ASSERT_EQ(played.tiles, wanted.tiles);
  EXPECT_EQ(played.end, clock.end());
  for (std::uint32_t tile = 0; tile < played.tiles; ++tile) {
    EXPECT_EQ(played.finish[tile], clock.now(tile)) << "tile " << tile;
    for (std::uint32_t s = 0; s < clock.plays().size(); ++s) {
      EXPECT_EQ(played.busyOf(s, tile), wanted.busyOf(s, tile)) << "step " << s;
    }
  }
}

/// Both engines replay what an engine's clock wrote down, and take the same cycles.
inline void expectEqualOnTheChip(const ipusim::models::SystemClock& clock) {
  using namespace ipusim;
  const SystemPrograms system = models::replayOf(clock.recorded(), kMostReplayedSteps);
  if (system.chip_of_ipu.size() == 1) {
    expectEqual(models::simulateChip(system.chips.front(), nullptr), clock);
    return expectEqual(models::closedForm(system.chips.front()), clock);
  }
  const MeasuredSystem chips = models::simulateSystem(system);
  const MeasuredSystem computed = models::closedForm(system);
  EXPECT_EQ(chips.links, clock.links());
  EXPECT_EQ(computed.links, clock.links());
  expectEqual(overAllIpus(system, chips), clock);
  expectEqual(overAllIpus(system, computed), clock);
}
