// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/compile/schedule/exchange_plan.h"
#include "tests/support/exchange_patterns.h"
#include "tests/support/port_uses.h"
#include "tests/support/toy_machine.h"

// Properties of the schedule of any exchange.

namespace ipusim::compiler {

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

struct Case {
  Machine machine;
  ExchangePattern pattern;
  std::map<Pair, std::uint64_t> bytes;  // from sender to receiver
};

Case arbitraryCase() {
  Machine machine = models::toyMachine();
  machine.tiles = *rc::gen::inRange<std::uint32_t>(2, 24);
  machine.fabric.tiles_per_bus = *rc::gen::inRange<std::uint32_t>(1, 4);
  machine.fabric.receive_control_words = *rc::gen::inRange<std::uint32_t>(0, 3);
  machine.fabric.start_delay_longest = Cycles(*rc::gen::inRange<std::uint32_t>(0, 50));
  machine.fabric.start_delay_per_column = Cycles(*rc::gen::inRange<std::uint32_t>(0, 5));
  machine.fabric.sync_per_row = Cycles(*rc::gen::inRange<std::uint32_t>(0, 5));
  Case test{machine, ExchangePattern(machine.tiles), {}};
  const auto tile = rc::gen::inRange<std::uint32_t>(0, machine.tiles);
  const int messages = *rc::gen::inRange(1, 60);
  for (int m = 0; m < messages; ++m) {
    const std::uint32_t from = *tile;
    const auto listed = *rc::gen::container<std::vector<std::uint32_t>>(tile);
    const std::set<std::uint32_t> receivers(listed.begin(), listed.end());
    const std::vector<std::uint32_t> to(receivers.begin(), receivers.end());
    const auto words = *rc::gen::inRange<std::uint64_t>(1, 200);
    if (to.empty()) continue;
    test.pattern.send(from, to, words);
    for (const std::uint32_t receiver : to) test.bytes[{from, receiver}] += 4 * words;
  }
  return test;
}

Schedule scheduleOf(const Case& test) {
  return scheduleStreams(test.machine,
                         streamsOf(test.machine, test.pattern.step(), test.pattern.blocks()));
}

ExchangePlan scheduledPlanOf(const Case& test) {
  return planScheduledExchange(test.machine, test.pattern.step(), test.pattern.blocks());
}

ExchangePlan boundPlanOf(const Case& test) {
  return planBoundExchange(test.machine, test.pattern.step(), test.pattern.blocks());
}

Cycles endOf(const Machine& machine, const ExchangePlan& plan) {
  Cycles end;
  for (std::uint32_t tile = 0; tile < machine.tiles; ++tile) {
    const Cycles free = plan.tiles[tile].ports_free;
    end = std::max(end, excess(free, models::syncDistance(machine, tile)));
  }
  return end;
}

}  // namespace

RC_GTEST_PROP(ExchangeSchedule, NoPortDoesTwoThingsAtATime, ()) {
  const Case test = arbitraryCase();
  const ExchangePlan plan = scheduledPlanOf(test);
  for (std::uint32_t tile = 0; tile < test.machine.tiles; ++tile) {
    RC_ASSERT(!overlaps(usesOf(plan, {TileId(tile), PortDirection::Send})));
    RC_ASSERT(!overlaps(usesOf(plan, {TileId(tile), PortDirection::Receive})));
  }
}

RC_GTEST_PROP(ExchangeSchedule, EveryByteReachesItsReceiverOnce, ()) {
  const Case test = arbitraryCase();
  const Schedule schedule = scheduleOf(test);
  RC_ASSERT(std::set<std::uint32_t>(schedule.order.begin(), schedule.order.end()).size() ==
            schedule.set.streams.size());
  std::map<Pair, std::uint64_t> delivered;
  for (const ExchangeStream& stream : schedule.set.streams) {
    const PortId* receivers = schedule.set.receiversOf(stream);
    for (std::uint32_t r = 0; r < stream.receive_ports; ++r) {
      delivered[{stream.sender.tile(), tileOf(receivers[r]).tile()}] += stream.bytes.value();
    }
  }
  RC_ASSERT(delivered == test.bytes);
}

RC_GTEST_PROP(ExchangeSchedule, StreamsWaitForTheirStartDelays, ()) {
  const Case test = arbitraryCase();
  const Schedule schedule = scheduleOf(test);
  const models::StartDelays delay(test.machine);
  for (std::size_t i = 0; i < schedule.order.size(); ++i) {
    const ExchangeStream& stream = schedule.set.streams[schedule.order[i]];
    const PortId* receivers = schedule.set.receiversOf(stream);
    for (std::uint32_t r = 0; r < stream.receive_ports; ++r) {
      RC_ASSERT(schedule.starts[i] >= delay(stream.sender.tile(), tileOf(receivers[r]).tile()));
    }
  }
}

RC_GTEST_PROP(ExchangeSchedule, IsNeverShorterThanTheBound, ()) {
  const Case test = arbitraryCase();
  const Cycles bound = endOf(test.machine, boundPlanOf(test));
  RC_ASSERT(endOf(test.machine, scheduledPlanOf(test)) >= bound);
  RC_ASSERT(bound >= portBound(streamsOf(test.machine, test.pattern.step(), test.pattern.blocks()),
                               test.machine.tiles));
}

RC_GTEST_PROP(ExchangeSchedule, ReceivesWhatTheBoundReceives, ()) {
  const Case test = arbitraryCase();
  const ExchangePlan scheduled = scheduledPlanOf(test);
  const ExchangePlan bound = boundPlanOf(test);
  for (std::size_t t = 0; t < bound.tiles.size(); ++t) {
    RC_ASSERT(scheduled.tiles[t].received == bound.tiles[t].received);
    RC_ASSERT(scheduled.tiles[t].receive_instructions == bound.tiles[t].receive_instructions);
  }
}

RC_GTEST_PROP(ExchangeSchedule, IsTheSameEveryTime, ()) {
  const Case test = arbitraryCase();
  const Schedule first = scheduleOf(test);
  const Schedule second = scheduleOf(test);
  RC_ASSERT(first.order == second.order);
  RC_ASSERT(first.starts == second.starts);
}

/// How far schedules are from the bound, on patterns of real programs with about 20,000 messages
/// each.
struct RatioCase {
  const char* name;
  ExchangePattern (*pattern)();
  std::uint64_t percent;
};

class ScheduleRatio : public testing::TestWithParam<RatioCase> {};

TEST_P(ScheduleRatio, IsCloseToThePortBound) {
  const Machine& machine = models::gc200();
  const ExchangePattern pattern = GetParam().pattern();
  StreamSet set = streamsOf(machine, pattern.step(), pattern.blocks());
  const Cycles bound = portBound(set, machine.tiles);
  const Cycles length = scheduleStreams(machine, std::move(set)).length;
  EXPECT_GE(length, bound);
  EXPECT_LE(100 * length, GetParam().percent * bound);
}

constexpr std::uint32_t kTiles = 1472;

INSTANTIATE_TEST_SUITE_P(
    Patterns, ScheduleRatio,
    testing::Values(
        RatioCase{"Random", [] { return randomUnicasts(kTiles, 20'000, 64); }, 120},
        RatioCase{"RandomLong", [] { return randomUnicasts(kTiles, 20'000, 1000); }, 105},
        RatioCase{"Permutation", [] { return permutations(kTiles, 1, 50, 50); }, 105},
        RatioCase{"Permutations", [] { return permutations(kTiles, 14, 20, 20); }, 120},
        RatioCase{"MixedPermutations", [] { return permutations(kTiles, 14, 1, 64); }, 120},
        RatioCase{"Grid", [] { return gridOfMulticasts(56, 26, 7, 50, 200); }, 105},
        RatioCase{"SquareGrid", [] { return gridOfMulticasts(38, 38, 7, 100, 100); }, 105},
        RatioCase{"SmallGrid", [] { return gridOfMulticasts(4, 4, 1, 100, 100); }, 105},
        RatioCase{"RandomMulticasts", [] { return randomMulticasts(kTiles, 2'000, 8, 64); }, 120},
        RatioCase{"Reduction", [] { return reductions(kTiles, 8, 1, 50); }, 105},
        RatioCase{"StridedReduction", [] { return reductions(kTiles, 13, 7, 50); }, 120},
        RatioCase{"Blocks", [] { return linearToBlocked(kTiles, 1000, 1000, 50); }, 105},
        RatioCase{"AllToAll", [] { return reductions(128, 128, 1, 20); }, 105},
        RatioCase{"Gather", [] { return gather(kTiles, 20'000, 64); }, 105},
        RatioCase{"Broadcasts", [] { return broadcasts(kTiles, 8, 100); }, 120}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace ipusim::compiler
