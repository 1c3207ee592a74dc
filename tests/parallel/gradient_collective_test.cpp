// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/parallel/pipeline/collectives.h"

namespace ipusim::parallel {
namespace {

using models::CollectiveKind;
using models::CollectiveMethod;
using testing::ElementsAre;

constexpr CollectiveChoice kRing{CollectiveRule::Fixed, CollectiveMethod::Ring};
constexpr Bytes kLarge(6'400'000);  // so that links take longer than tiles

/// A step without payload, and a rail of two links with its packet headers.
models::RingRates railRates(const System& system, std::uint32_t ipus) {
  const double fixed = static_cast<double>(system.timing.fixed.value()) / system.ipu.clock_hz;
  return {models::externalSyncSeconds(system, ipus) + fixed,
          2 * 17'179'869'184.0 * system.timing.efficiency / (1 + 8.0 / 1024)};
}

/// One IPU per replica loads each rail of the ladder once, so the closed forms hold.
TEST(GradientCollectives, OfOneStageAreTheClosedForms) {
  const System system = readSystem("pod64");
  for (const auto method : {CollectiveMethod::Ring, CollectiveMethod::OppositeRings,
                            CollectiveMethod::MeetInTheMiddle}) {
    for (std::uint32_t n = 4; n <= 64; n += 2) {
      const CollectiveTime time =
          gradientCollective(system, {1, n, 1}, {kLarge}, {CollectiveRule::Fixed, method});
      const double expected = models::collectiveSeconds(
          {CollectiveKind::AllReduce, method, n, kLarge}, railRates(system, n));
      EXPECT_NEAR(time.seconds / expected, 1, 1e-9) << n;
    }
  }
}

TEST(GradientCollectives, OfOneReplicaAreNone) {
  const CollectiveTime time =
      gradientCollective(readSystem("pod16"), {4, 1, 1}, {kLarge, kLarge, kLarge, kLarge}, {});
  EXPECT_EQ(time.exchanges, 0U);
  EXPECT_EQ(time.seconds, 0);
}

/// Four replicas: each IPU sends a quarter three times while it reduces, and three times while it
/// gathers.
TEST(GradientCollectives, SendASharePerStep) {
  const CollectiveTime time =
      gradientCollective(readSystem("pod16"), {2, 4, 1}, {Bytes(4000), Bytes(400)}, kRing);
  EXPECT_EQ(time.exchanges, 6U);
  EXPECT_THAT(time.sent, ElementsAre(Bytes(6000), Bytes(600)));
}

/// A torus splits the steps of replicas of four IPUs in two. Sixteen replicas meet in the middle
/// after eight steps, each way.
TEST(GradientCollectives, AreSplitOnATorus) {
  const std::vector<Bytes> bytes(4, kLarge);
  const CollectiveTime torus = gradientCollective(readSystem("pod64"), {4, 16, 1}, bytes, {});
  EXPECT_EQ(torus.method, CollectiveMethod::MeetInTheMiddle);
  EXPECT_EQ(torus.exchanges, 2U * 2 * 8);
  const CollectiveTime mesh = gradientCollective(readSystem("pod16"), {4, 4, 1}, bytes, {});
  EXPECT_EQ(mesh.method, CollectiveMethod::Ring);
  EXPECT_EQ(mesh.exchanges, 2U * 3);
}

/// 32 steps each way in both racks, and a ring of two between equal places of the racks.
TEST(GradientCollectives, CrossRacksWithTheShares) {
  const CollectiveTime time = gradientCollective(readSystem("pod128"), {1, 64, 2}, {kLarge}, {});
  EXPECT_EQ(time.method, CollectiveMethod::MeetInTheMiddle);
  EXPECT_EQ(time.exchanges, 32U + 2 + 32);
}

// The stages that send much go together, whatever their order: 0 and 2 are on one rail, 1 and 3 on
// the other.
TEST(GradientCollectives, PairStagesByTheirBytes) {
  const auto seconds = [](const std::vector<Bytes>& bytes) {
    return gradientCollective(readSystem("pod64"), {4, 16, 1}, bytes, {}).seconds;
  };
  const Bytes little(64'000);
  const double together = seconds({kLarge, kLarge, little, little});
  EXPECT_EQ(seconds({little, kLarge, kLarge, little}), together);
  EXPECT_LT(together, 0.6 * seconds({kLarge, kLarge, kLarge, kLarge}));
}

// All 64 IPUs of a rack: four rings, each with rails of its own.
TEST(GradientCollectives, QuadRingsOfAWholeTorusAreTheClosedForm) {
  const System system = readSystem("pod64");
  const CollectiveTime time = gradientCollective(
      system, {1, 64, 1}, {kLarge}, {CollectiveRule::Fixed, CollectiveMethod::QuadRing});
  const double expected = models::collectiveSeconds(
      {CollectiveKind::AllReduce, CollectiveMethod::QuadRing, 64, kLarge}, railRates(system, 64));
  EXPECT_NEAR(time.seconds / expected, 1, 1e-9);
}

// In a rack, 8 stages take turns two at a time: 4 exchanges for each step of a ring of 8 that meets
// in the middle. Between racks no IPU passes on what others send, so both steps are one exchange.
TEST(GradientCollectives, TakeTurnsInRacksAlone) {
  const std::vector<Bytes> bytes(8, kLarge);
  const CollectiveTime time = gradientCollective(readSystem("pod128"), {8, 8, 2}, bytes, {});
  EXPECT_EQ(time.method, CollectiveMethod::MeetInTheMiddle);
  EXPECT_EQ(time.exchanges, 4U * 4 + 2 + 4U * 4);
}

TEST(GradientCollectives, CheapestIsNoDearerThanAnyMethod) {
  const System system = readSystem("pod16");
  for (const std::uint64_t bytes : {1'000U, 1'000'000U, 50'000'000U}) {
    const auto with = [&](CollectiveRule rule, CollectiveMethod method) {
      return gradientCollective(system, {1, 16, 1}, {Bytes(bytes)}, {rule, method}).seconds;
    };
    const double cheapest = with(CollectiveRule::Cheapest, CollectiveMethod::Ring);
    for (const auto method : models::kCollectiveMethods) {
      EXPECT_LE(cheapest, with(CollectiveRule::Fixed, method)) << bytes;
    }
  }
}

}  // namespace
}  // namespace ipusim::parallel
