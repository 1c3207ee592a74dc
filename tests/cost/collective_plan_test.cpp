// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/collective_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ipusim/error.h"

namespace ipusim::models {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr CollectiveChoice kRing{CollectiveRule::Fixed, CollectiveMethod::Ring};
constexpr Bytes kLarge(6'400'000);  // so that links take longer than tiles

CollectiveTask sumOver(const MemberGroups& groups, Bytes bytes = kLarge) {
  return {groups, CollectiveKind::AllReduce, bytes};
}

/// The members of the rings of a level, turn by turn.
std::vector<std::vector<std::uint32_t>> ringsOf(const RingLevel& level) {
  std::vector<std::vector<std::uint32_t>> rings;
  for (const auto& turn : level.turns) {
    for (const LevelRing& ring : turn) rings.push_back(ring.members);
  }
  return rings;
}

TEST(MemberGroups, AreStrideApart) {
  EXPECT_THAT(membersOf({8, 8, 1}), ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)));
  EXPECT_THAT(membersOf({8, 4, 1}), ElementsAre(ElementsAre(0, 1, 2, 3), ElementsAre(4, 5, 6, 7)));
  EXPECT_THAT(membersOf({8, 2, 2}), ElementsAre(ElementsAre(0, 2), ElementsAre(1, 3),
                                                ElementsAre(4, 6), ElementsAre(5, 7)));
}

TEST(CollectivePlans, HaveTheRingOfEachGroup) {
  const System system = readSystem("pod16");
  const CollectivePlan all = planCollective(system, sumOver({16, 16, 1}), kRing);
  EXPECT_THAT(ringsOf(all.at(0)),
              ElementsAre(ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 15, 13, 11, 9, 7, 5, 3, 1)));
  const CollectivePlan groups = planCollective(system, sumOver({16, 8, 1}), kRing);
  EXPECT_THAT(ringsOf(groups.at(0)), ElementsAre(ElementsAre(0, 2, 4, 6, 7, 5, 3, 1),
                                                 ElementsAre(8, 10, 12, 14, 15, 13, 11, 9)));
  EXPECT_THAT(groups, SizeIs(1));
}

// Racks of 6 IPUs cut the second of three groups of 4 in two. All groups are then one ring each.
TEST(CollectivePlans, HaveOneLevelWhereRacksCutGroupsUnlike) {
  System system = readSystem("pod16");
  system.ipus = 12;
  system.rack_ipus = 6;
  const CollectivePlan plan = planCollective(system, sumOver({12, 4, 1}), kRing);
  ASSERT_THAT(plan, SizeIs(1));
  EXPECT_THAT(ringsOf(plan[0]), SizeIs(3));
  EXPECT_EQ(plan[0].ringSize(), 4U);
}

TEST(CollectivePlans, TheCheapestOfAnOddGroupIsABroadcast) {
  System system = readSystem("pod16");
  system.ipus = 12;
  const CollectivePlan plan =
      planCollective(system, sumOver({12, 3, 1}), {CollectiveRule::Cheapest, {}});
  EXPECT_EQ(plan.at(0).method, CollectiveMethod::Broadcast);
}

// 64 shares between two racks: place 1 of both rings is IPU 2 of its rack.
TEST(CollectivePlans, HaveASecondLevelBetweenRacks) {
  const System system = readSystem("pod128");
  const CollectivePlan plan = planCollective(system, sumOver({128, 128, 1}), kRing);
  ASSERT_THAT(plan, SizeIs(2));
  EXPECT_EQ(plan[0].ringSize(), 64U);
  ASSERT_THAT(ringsOf(plan[1]), SizeIs(64));
  EXPECT_THAT(ringsOf(plan[1])[1], ElementsAre(2, 66));
  EXPECT_EQ(plan[1].turns.front()[1].part, 1U);
}

TEST(CollectivePlans, OfOneMemberPerRackUseGatewaysAlone) {
  const CollectivePlan plan = planCollective(readSystem("pod256"), sumOver({256, 4, 64}), kRing);
  ASSERT_THAT(plan, SizeIs(1));
  EXPECT_THAT(ringsOf(plan[0]), SizeIs(64));
  EXPECT_THAT(ringsOf(plan[0])[1], ElementsAre(1, 65, 129, 193));
}

// A torus: groups eight apart take turns, two at a time.
TEST(CollectivePlans, TakeTurnsOnATorus) {
  const CollectivePlan torus = planCollective(readSystem("pod64"), sumOver({64, 8, 8}), {});
  EXPECT_THAT(torus.at(0).turns, SizeIs(4));
  EXPECT_THAT(torus.at(0).turns[1], SizeIs(2));
  EXPECT_EQ(torus.at(0).turns[1][0].members.front(), 2U);
  EXPECT_EQ(torus.at(0).turns[1][1].members.back(), 3U);
  EXPECT_EQ(torus.at(0).method, CollectiveMethod::MeetInTheMiddle);
  const CollectivePlan mesh = planCollective(readSystem("pod16"), sumOver({16, 4, 4}), {});
  EXPECT_THAT(mesh.at(0).turns, SizeIs(1));
  EXPECT_EQ(mesh.at(0).method, CollectiveMethod::Ring);
}

/// A step without payload, and a set of links with its packet headers.
RingRates ratesOf(const System& system, double bytes_per_second) {
  const double fixed = static_cast<double>(system.timing.fixed.value()) / system.ipu.clock_hz;
  return {externalSyncSeconds(system, system.ipus) + fixed,
          bytes_per_second * system.timing.efficiency / (1 + 8.0 / 1024)};
}

// Two levels take the formula of the ring in racks, and that of the shares between racks, where two
// racks exchange halves of a share.
TEST(CollectivePlans, OfTwoLevelsTakeTheTimeOfBothFormulas) {
  const System system = readSystem("pod128");
  const CollectiveTask task = sumOver({128, 128, 1}, Bytes(std::uint64_t{128} * 64'000));
  const double in_racks =
      collectiveSeconds({CollectiveKind::AllReduce, CollectiveMethod::Ring, 64, task.bytes},
                        ratesOf(system, 2 * 17'179'869'184.0));
  const double between = collectiveSeconds(
      {CollectiveKind::AllReduce, CollectiveMethod::Ring, 2, Bytes(task.bytes.value() / 64)},
      ratesOf(system, 6'250'000'000.0));
  const double wanted = in_racks + between;
  EXPECT_NEAR(planSeconds(system, planCollective(system, task, kRing), task), wanted,
              1e-9 * wanted);
}

TEST(CollectivePlans, TheCheapestTakesNoLongerThanAnyOther) {
  const System system = readSystem("pod64");
  for (const std::uint64_t bytes : {64U, 100'000U, 50'000'000U}) {
    const CollectiveTask task = sumOver({64, 64, 1}, Bytes(bytes));
    const auto seconds = [&](const CollectiveChoice& choice) {
      return planSeconds(system, planCollective(system, task, choice), task);
    };
    const double cheapest = seconds({CollectiveRule::Cheapest, CollectiveMethod::Ring});
    for (const CollectiveMethod method : kCollectiveMethods) {
      EXPECT_LE(cheapest, seconds({CollectiveRule::Fixed, method})) << bytes;
    }
  }
}

}  // namespace
}  // namespace ipusim::models
