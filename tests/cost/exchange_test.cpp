// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ipusim/units.h"
#include "tests/support/toy_machine.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

/// The toy's four tiles stand in 2 columns of 2 rows; here with delays that tell them apart.
Machine placedToy() {
  Machine machine = toyMachine();
  machine.fabric.start_delay_longest = 100_cycles;
  machine.fabric.start_delay_per_column = 10_cycles;
  machine.fabric.start_delay_per_row = 20_cycles;
  machine.fabric.start_delay_per_receiver_row = 1_cycles;
  machine.fabric.sync_per_column = 5_cycles;
  machine.fabric.sync_per_row = 7_cycles;
  return machine;
}

std::vector<std::uint64_t> delaysOfAllPairs(const Machine& machine) {
  const StartDelays delay(machine);
  std::vector<std::uint64_t> delays;
  for (std::uint32_t from = 0; from < machine.tiles; ++from) {
    for (std::uint32_t to = 0; to < machine.tiles; ++to) {
      delays.push_back(delay(from, to).value());
    }
  }
  std::sort(delays.begin(), delays.end());
  return delays;
}

std::uint64_t quantile(const std::vector<std::uint64_t>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

TEST(StartDelay, FallsWithDistanceAndWithTheReceiversRow) {
  const Machine machine = placedToy();
  EXPECT_EQ(StartDelays(machine)(0, 0), 100_cycles);
  EXPECT_EQ(StartDelays(machine)(0, 2), 90_cycles);  // one column on
  EXPECT_EQ(StartDelays(machine)(0, 1), 79_cycles);  // one row on, received in row 1
  EXPECT_EQ(StartDelays(machine)(1, 0), 80_cycles);  // the way back, received in row 0
  EXPECT_EQ(StartDelays(machine)(0, 3), 69_cycles);
}

TEST(StartDelay, IsNeverBelowZero) {
  Machine machine = placedToy();
  machine.fabric.start_delay_longest = 5_cycles;
  EXPECT_EQ(StartDelays(machine)(0, 3), 0_cycles);
}

TEST(StartDelay, HasThePublishedQuantilesOnGc200) {
  const std::vector<std::uint64_t> delays = delaysOfAllPairs(gc200());
  constexpr double kPublishedLeast = -1;
  EXPECT_NEAR(static_cast<double>(delays.front()), kPublishedLeast, 6);
  EXPECT_NEAR(static_cast<double>(quantile(delays, 0.1)), 86, 6);
  EXPECT_NEAR(static_cast<double>(quantile(delays, 0.5)), 123, 2);
  EXPECT_NEAR(static_cast<double>(quantile(delays, 0.9)), 154, 6);
  EXPECT_EQ(delays.back(), 189U);
}

TEST(PortCycles, RoundsAPartUsedCycleUp) {
  EXPECT_EQ(portCycles(toyMachine(), 0_B), 0_cycles);
  EXPECT_EQ(portCycles(toyMachine(), 1_B), 1_cycles);
  EXPECT_EQ(portCycles(toyMachine(), 4_B), 1_cycles);
  EXPECT_EQ(portCycles(toyMachine(), 1_KiB), 256_cycles);
}

TEST(SyncDistance, CountsColumnsAndRowsToTheMiddle) {
  const Machine machine = placedToy();  // the controller is at column 1, row 1: at tile 3
  EXPECT_EQ(syncDistance(machine, 3), 0_cycles);
  EXPECT_EQ(syncDistance(machine, 2), 7_cycles);
  EXPECT_EQ(syncDistance(machine, 1), 5_cycles);
  EXPECT_EQ(syncDistance(machine, 0), 12_cycles);
}

TEST(SyncDistance, OfALoneTileIsZero) {
  Machine machine = placedToy();
  machine.tiles = 1;
  EXPECT_EQ(syncDistance(machine, 0), 0_cycles);
}

TEST(SyncDistance, GivesEveryTileASyncOf100To200Cycles) {
  for (const char* name : {"gc200", "gc2", "bow"}) {
    const Machine machine = readPreset(name);
    Cycles farthest;
    for (std::uint32_t tile = 0; tile < machine.tiles; ++tile) {
      farthest = std::max(farthest, syncDistance(machine, tile));
    }
    for (std::uint32_t tile = 0; tile < machine.tiles; ++tile) {
      const Cycles sync = farthest + machine.fabric.sync_base + syncDistance(machine, tile);
      ASSERT_GE(sync, 100_cycles) << name << " tile " << tile;
      ASSERT_LE(sync, 200_cycles) << name << " tile " << tile;
    }
  }
}

TEST(ExchangePhaseOverhead, WaitsForTheLongestDelayAndTheFarthestTile) {
  for (Machine machine : {gc200(), readPreset("gc2"), readPreset("toy")}) {
    machine.tiles -= 1;  // the last column is not full
    Cycles farthest;
    for (std::uint32_t tile = 0; tile < machine.tiles; ++tile) {
      farthest = std::max(farthest, syncDistance(machine, tile));
    }
    EXPECT_EQ(exchangePhaseOverhead(machine),
              machine.fabric.start_delay_longest + machine.fabric.sync_base + farthest * 2)
        << machine.name;
  }
}

TEST(ExchangePhaseOverhead, Is382CyclesOnGc200) {
  EXPECT_EQ(exchangePhaseOverhead(gc200()), 382_cycles);
}

}  // namespace
}  // namespace ipusim::models
