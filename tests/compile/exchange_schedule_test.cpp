// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/compile/schedule/exchange_plan.h"
#include "sim/compile/schedule/stream_split.h"
#include "tests/support/exchange_patterns.h"
#include "tests/support/port_uses.h"
#include "tests/support/toy_machine.h"

// The toy machine: tiles 0 and 1 share a bus, and so do 2 and 3; one word per cycle; no delays, no
// control instructions.

namespace ipusim::compiler {

using namespace ipusim::literals;

namespace {

/// Every tile on a bus of its own.
Machine withoutBuses() {
  Machine machine = models::toyMachine();
  machine.fabric.tiles_per_bus = 1;
  return machine;
}

ExchangePlan planOf(const Machine& machine, const ExchangePattern& pattern) {
  return planScheduledExchange(machine, pattern.step(), pattern.blocks());
}

Cycles endOf(const std::vector<PortUse>& port) {
  return port.empty() ? 0_cycles : port.back().start + port.back().cycles;
}

Cycles lengthOf(const ExchangePlan& plan) {
  Cycles length;
  for (const TileExchange& tile : plan.tiles) length = std::max(length, tile.ports_free);
  return length;
}

/// Tiles 0, 1 and 2 each send 40 words to both others.
ExchangePattern allToAllOfThree() {
  ExchangePattern pattern(4);
  pattern.send(0, {1, 2}, 40);
  pattern.send(1, {0, 2}, 40);
  pattern.send(2, {0, 1}, 40);
  return pattern;
}

}  // namespace

TEST(ScheduledExchange, TwoSendersToOneReceiverTakeTurns) {
  ExchangePattern pattern(4);
  pattern.send(0, {2}, 40);
  pattern.send(1, {2}, 20);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  ASSERT_EQ(receivesOf(plan, 2).size(), 2U);
  EXPECT_EQ(endOf(receivesOf(plan, 2)), 60_cycles);
  EXPECT_EQ(std::max(endOf(sendsOf(plan, 0)), endOf(sendsOf(plan, 1))), 60_cycles);
  EXPECT_EQ(std::min(endOf(sendsOf(plan, 0)), endOf(sendsOf(plan, 1))),
            receivesOf(plan, 2)[1].start);
}

TEST(ScheduledExchange, OneSenderServesItsReceiversInTurn) {
  ExchangePattern pattern(4);
  pattern.send(0, {1}, 20);
  pattern.send(0, {2}, 40);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(endOf(sendsOf(plan, 0)), 60_cycles);
  EXPECT_EQ(std::max(endOf(receivesOf(plan, 1)), endOf(receivesOf(plan, 2))), 60_cycles);
  EXPECT_EQ(receivesOf(plan, 1).front().cycles, 20_cycles);
  EXPECT_EQ(receivesOf(plan, 2).front().cycles, 40_cycles);
}

TEST(ScheduledExchange, AReceiverListensWhileItsSenderSends) {
  ExchangePattern pattern(4);
  pattern.send(2, {0}, 30);
  pattern.send(2, {3}, 30);
  pattern.send(0, {3}, 10);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(lengthOf(plan), 60_cycles);
  const PortUse first = sendsOf(plan, 2)[0];
  const std::uint32_t other = receivesOf(plan, 0).front().start == first.start ? 0 : 3;
  const std::vector<PortUse> heard = receivesOf(plan, other);
  EXPECT_TRUE(std::any_of(heard.begin(), heard.end(),
                          [&](const PortUse& use) { return use.start == first.start; }));
}

TEST(ScheduledExchange, ADoubledStreamHoldsBothSendPortsForHalfTheTime) {
  ExchangePattern pattern(4);
  pattern.send(0, {2, 3}, 40);
  pattern.send(1, {0}, 30);  // waits for its own port, or makes the stream wait
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(receivesOf(plan, 2).front().cycles, 20_cycles);
  EXPECT_EQ(receivesOf(plan, 3).front().cycles, 20_cycles);
  ASSERT_EQ(sendsOf(plan, 1).size(), 2U);
  EXPECT_EQ(endOf(sendsOf(plan, 1)), 50_cycles);
  EXPECT_EQ(lengthOf(plan), 50_cycles);
}

TEST(ScheduledExchange, TheSendersOwnPairListensToAPlainStream) {
  ExchangePattern pattern(4);
  pattern.send(0, {1, 2, 3}, 40);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(receivesOf(plan, 1).front().cycles, 40_cycles);
  EXPECT_EQ(receivesOf(plan, 2).front().cycles, 20_cycles);
  EXPECT_EQ(endOf(sendsOf(plan, 0)), 60_cycles);
  EXPECT_EQ(lengthOf(plan), 60_cycles);
}

TEST(ScheduledExchange, AStreamWaitsForItsOwnStartDelay) {
  Machine machine = withoutBuses();
  machine.fabric.start_delay_longest = 100_cycles;
  machine.fabric.start_delay_per_column = 10_cycles;
  machine.fabric.sync_per_column = 5_cycles;  // tiles 0 and 1: one column from the controller
  ExchangePattern pattern(4);
  pattern.send(0, {1}, 40);  // the same column
  pattern.send(2, {0}, 40);  // one column away
  const ExchangePlan plan = planOf(machine, pattern);
  EXPECT_EQ(sendsOf(plan, 0).front().start, 100_cycles);
  EXPECT_EQ(receivesOf(plan, 1).front().start, 100_cycles);
  EXPECT_EQ(sendsOf(plan, 2).front().start, 90_cycles);
  EXPECT_EQ(receivesOf(plan, 0).front().start, 90_cycles);
  // Tile 0 is released five cycles after the controller's release, tile 2 at once.
  EXPECT_EQ(plan.tiles[0].ports_free, 145_cycles);
  EXPECT_EQ(plan.tiles[2].ports_free, 130_cycles);
}

TEST(ScheduledExchange, ControlInstructionsIssueBesideTheWords) {
  Machine machine = models::toyMachine();
  ExchangePattern pattern(4);
  pattern.send(0, {2}, 40);
  machine.fabric.receive_control_words = 40;
  EXPECT_EQ(endOf(receivesOf(planOf(machine, pattern), 2)), 40_cycles);
  machine.fabric.receive_control_words = 42;  // they take longer than the words
  const ExchangePlan plan = planOf(machine, pattern);
  EXPECT_EQ(endOf(sendsOf(plan, 0)), 40_cycles);
  EXPECT_EQ(endOf(receivesOf(plan, 2)), 42_cycles);
}

TEST(ScheduledExchange, MulticastsAreSplitWhereThatIsShorter) {
  // As a whole, each of the three holds all three tiles, which takes 120 cycles. In parts they take
  // turns in 80.
  const ExchangePlan plan = planOf(withoutBuses(), allToAllOfThree());
  EXPECT_EQ(lengthOf(plan), 80_cycles);
  for (std::uint32_t tile = 0; tile < 3; ++tile) {
    EXPECT_EQ(sendsOf(plan, tile).size(), 2U);
    EXPECT_EQ(plan.tiles[tile].send_instructions, 2U);
  }
}

TEST(ScheduledExchange, AMulticastIsNotSplitForNothing) {
  ExchangePattern pattern(4);
  pattern.send(0, {1, 2, 3}, 40);
  const ExchangePlan plan = planOf(withoutBuses(), pattern);
  EXPECT_EQ(sendsOf(plan, 0).size(), 1U);
  EXPECT_EQ(lengthOf(plan), 40_cycles);
}

TEST(ScheduledExchange, WhatATileSendsToTheSameReceiversIsOneStream) {
  ExchangePattern pattern(4);
  pattern.send(0, {2}, 40);
  pattern.send(1, {3}, 7);
  pattern.send(0, {2}, 2);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  ASSERT_EQ(receivesOf(plan, 2).size(), 1U);
  EXPECT_EQ(receivesOf(plan, 2).front().cycles, 42_cycles);
  EXPECT_EQ(plan.tiles[2].receive_instructions, 2U);
}

TEST(ScheduledExchange, DataForTwoPlacesOfATileIsSentTwice) {
  ExchangePattern pattern(4);
  pattern.send(0, {2, 2}, 40);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(endOf(sendsOf(plan, 0)), 80_cycles);
  EXPECT_EQ(endOf(receivesOf(plan, 2)), 80_cycles);
  EXPECT_EQ(plan.tiles[2].received, 320_B);
}

TEST(ScheduleStreams, ReplaysWhatTheSearchFound) {
  const std::uint32_t tiles = 64;
  Machine machine = models::toyMachine();
  machine.tiles = tiles;
  for (const ExchangePattern& pattern :
       {randomUnicasts(tiles, 300, 90), randomMulticasts(tiles, 60, 9, 70),
        gridOfMulticasts(8, 8, 2, 40, 90), allToAllOfThree()}) {
    const StreamSet set = streamsOf(machine, pattern.step(), pattern.blocks());
    const Schedule searched = searchSchedule(machine, set);
    for (int time = 0; time < 2; ++time) {
      const Schedule schedule = scheduleStreams(machine, set);
      EXPECT_EQ(schedule.order, searched.order);
      EXPECT_EQ(schedule.starts, searched.starts);
      EXPECT_EQ(schedule.length, searched.length);
      EXPECT_EQ(schedule.split_load, searched.split_load);
      EXPECT_EQ(schedule.set.ports, searched.set.ports);
    }
  }
}

TEST(MulticastSplit, CountsItsPartsAndBoundsTheirTime) {
  const Machine machine = withoutBuses();
  const ExchangePattern pattern = allToAllOfThree();
  const StreamSet set = streamsOf(machine, pattern.step(), pattern.blocks());
  const MulticastSplit whole(machine, set, 79_cycles);  // one cycle too few for two parts
  EXPECT_EQ(whole.streams(), 3U);
  EXPECT_EQ(whole.sendBound(), 40_cycles);
  const MulticastSplit split(machine, set, 80_cycles);
  EXPECT_EQ(split.streams(), 6U);
  EXPECT_EQ(split.parts().streams.size(), 6U);
  EXPECT_EQ(split.sendBound(), 80_cycles);
}

TEST(MulticastSplit, NoScheduleOfThePartsIsShorterThanTheBound) {
  const std::uint32_t tiles = 64;
  Machine machine = models::toyMachine();
  machine.tiles = tiles;
  machine.fabric.start_delay_longest = 100_cycles;
  machine.fabric.start_delay_per_column = 3_cycles;
  for (const ExchangePattern& pattern :
       {randomMulticasts(tiles, 60, 9, 70), gridOfMulticasts(8, 8, 2, 40, 90)}) {
    const StreamSet set = streamsOf(machine, pattern.step(), pattern.blocks());
    for (const std::uint64_t cycles : {100U, 500U, 5000U}) {
      const MulticastSplit split(machine, set, Cycles(cycles));
      StreamSet parts = split.parts();
      for (const ExchangeStream& part : parts.streams) {
        parts.delays.insert(parts.delays.end(), part.ports(), part.delay);
      }
      EXPECT_GE(searchSchedule(machine, std::move(parts)).length, split.sendBound());
    }
  }
}

TEST(PortBound, AddsUpWhatAPortHas) {
  ExchangePattern pattern(4);
  pattern.send(0, {2}, 40);
  pattern.send(1, {2}, 20);
  pattern.send(0, {3}, 15);
  const StreamSet set = streamsOf(models::toyMachine(), pattern.step(), pattern.blocks());
  EXPECT_EQ(portBound(set, 4), 60_cycles);
}

TEST(PlanExchange, FollowsTheMachine) {
  Machine machine = withoutBuses();
  machine.fabric.start_delay_longest = 100_cycles;
  machine.fabric.start_delay_per_column = 10_cycles;
  ExchangePattern pattern(4);
  pattern.send(0, {1, 2}, 40);  // tile 2 is a column away: it could listen from 90 on
  const auto through = [&] {
    return planExchange(machine, machine.exchange, pattern.step(), pattern.blocks())
        .tiles[2]
        .ports_free;
  };
  EXPECT_EQ(through(), 140_cycles);  // the stream waits for tile 1
  machine.exchange = ExchangeMode::Bound;
  EXPECT_EQ(through(), 130_cycles);
}

}  // namespace ipusim::compiler
