// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/exchange_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/compile/exchange_plan.h"
#include "tests/support/exchange_patterns.h"
#include "tests/support/toy_machine.h"

// The toy machine: tiles 0 and 1 share a bus, and 2 and 3; a word a cycle; no delays, no control.

namespace ipusim::compiler {

using namespace ipusim::literals;
using models::Machine;
using models::PortUse;

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
  for (const TileExchange& tile : plan) {
    length = std::max({length, endOf(tile.sends), endOf(tile.receives)});
  }
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
  ASSERT_EQ(plan[2].receives.size(), 2U);
  EXPECT_EQ(endOf(plan[2].receives), 60_cycles);
  EXPECT_EQ(std::max(endOf(plan[0].sends), endOf(plan[1].sends)), 60_cycles);
  EXPECT_EQ(std::min(endOf(plan[0].sends), endOf(plan[1].sends)), plan[2].receives[1].start);
}

TEST(ScheduledExchange, OneSenderServesItsReceiversInTurn) {
  ExchangePattern pattern(4);
  pattern.send(0, {1}, 20);
  pattern.send(0, {2}, 40);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(endOf(plan[0].sends), 60_cycles);
  EXPECT_EQ(std::max(endOf(plan[1].receives), endOf(plan[2].receives)), 60_cycles);
  EXPECT_EQ(plan[1].receives.front().cycles, 20_cycles);
  EXPECT_EQ(plan[2].receives.front().cycles, 40_cycles);
}

TEST(ScheduledExchange, AReceiverListensWhileItsSenderSends) {
  ExchangePattern pattern(4);
  pattern.send(2, {0}, 30);
  pattern.send(2, {3}, 30);
  pattern.send(0, {3}, 10);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(lengthOf(plan), 60_cycles);
  const PortUse first = plan[2].sends[0];
  const auto& other = plan[0].receives.front().start == first.start ? plan[0] : plan[3];
  EXPECT_TRUE(std::any_of(other.receives.begin(), other.receives.end(),
                          [&](const PortUse& use) { return use.start == first.start; }));
}

TEST(ScheduledExchange, ADoubledStreamHoldsBothSendPortsForHalfTheTime) {
  ExchangePattern pattern(4);
  pattern.send(0, {2, 3}, 40);
  pattern.send(1, {0}, 30);  // waits for its own port, or makes the stream wait
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(plan[2].receives.front().cycles, 20_cycles);
  EXPECT_EQ(plan[3].receives.front().cycles, 20_cycles);
  ASSERT_EQ(plan[1].sends.size(), 2U);
  EXPECT_EQ(endOf(plan[1].sends), 50_cycles);
  EXPECT_EQ(lengthOf(plan), 50_cycles);
}

TEST(ScheduledExchange, TheSendersOwnPairListensToAPlainStream) {
  ExchangePattern pattern(4);
  pattern.send(0, {1, 2, 3}, 40);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(plan[1].receives.front().cycles, 40_cycles);
  EXPECT_EQ(plan[2].receives.front().cycles, 20_cycles);
  EXPECT_EQ(endOf(plan[0].sends), 60_cycles);
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
  EXPECT_EQ(plan[0].sends.front().start, 105_cycles);
  EXPECT_EQ(plan[1].receives.front().start, 105_cycles);
  EXPECT_EQ(plan[2].sends.front().start, 90_cycles);
  EXPECT_EQ(plan[0].receives.front().start, 95_cycles);
}

TEST(ScheduledExchange, AReceiverPaysForControlWords) {
  Machine machine = models::toyMachine();
  machine.fabric.receive_control_words = 2;
  ExchangePattern pattern(4);
  pattern.send(0, {2}, 40);
  const ExchangePlan plan = planOf(machine, pattern);
  EXPECT_EQ(endOf(plan[0].sends), 40_cycles);
  EXPECT_EQ(endOf(plan[2].receives), 42_cycles);
}

TEST(ScheduledExchange, MulticastsAreSplitWhereThatIsShorter) {
  // Whole, each of the three holds all three tiles: 120 cycles. In parts they go round in 80.
  const ExchangePlan plan = planOf(withoutBuses(), allToAllOfThree());
  EXPECT_EQ(lengthOf(plan), 80_cycles);
  for (std::uint32_t tile = 0; tile < 3; ++tile) {
    EXPECT_EQ(plan[tile].sends.size(), 2U);
    EXPECT_EQ(plan[tile].send_instructions, 2U);
  }
}

TEST(ScheduledExchange, AMulticastIsNotSplitForNothing) {
  ExchangePattern pattern(4);
  pattern.send(0, {1, 2, 3}, 40);
  const ExchangePlan plan = planOf(withoutBuses(), pattern);
  EXPECT_EQ(plan[0].sends.size(), 1U);
  EXPECT_EQ(lengthOf(plan), 40_cycles);
}

TEST(ScheduledExchange, WhatATileSendsToTheSameReceiversIsOneStream) {
  ExchangePattern pattern(4);
  pattern.send(0, {2}, 40);
  pattern.send(1, {3}, 7);
  pattern.send(0, {2}, 2);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  ASSERT_EQ(plan[2].receives.size(), 1U);
  EXPECT_EQ(plan[2].receives.front().cycles, 42_cycles);
  EXPECT_EQ(plan[2].receive_instructions, 2U);
}

TEST(ScheduledExchange, DataForTwoPlacesOfATileIsSentTwice) {
  ExchangePattern pattern(4);
  pattern.send(0, {2, 2}, 40);
  const ExchangePlan plan = planOf(models::toyMachine(), pattern);
  EXPECT_EQ(endOf(plan[0].sends), 80_cycles);
  EXPECT_EQ(endOf(plan[2].receives), 80_cycles);
  EXPECT_EQ(plan[2].received, 320_B);
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
  const auto start = [&] {
    return planExchange(machine, pattern.step(), pattern.blocks())[2].receives.front().start;
  };
  EXPECT_EQ(start(), 100_cycles);  // the stream waits for tile 1
  machine.exchange = models::ExchangeMode::Bound;
  EXPECT_EQ(start(), 90_cycles);
}

}  // namespace ipusim::compiler
