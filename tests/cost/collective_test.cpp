// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/collective.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "ipusim/error.h"
#include "models/ipu/cost/exchange/ring_order.h"

namespace ipusim::models {
namespace {

using testing::ElementsAre;

/// Those whose rings use each rail of a ladder once in each direction.
constexpr std::array kLadderMethods = {CollectiveMethod::Ring, CollectiveMethod::OppositeRings,
                                       CollectiveMethod::MeetInTheMiddle};
constexpr double kLinkRate = 17'179'869'184.0 * 0.783;  // bytes per second
constexpr std::array kKinds = {CollectiveKind::ReduceScatter, CollectiveKind::AllGather,
                               CollectiveKind::AllReduce};

/// A ladder of `ipus` in one rack without packet headers, so that a formula in bytes holds exactly.
System ladderOf(std::uint32_t ipus, const char* layout = "ladder") {
  return readSystem(
      ConfigReader::fromText(fmt::format("machine = {{base = \"pod16\", packet_header_bytes = 0, "
                                         "ipus = {0}, rack_ipus = {0}, layout = \"{1}\"}}",
                                         ipus, layout),
                             "ladder.toml"),
      "machine");
}

/// The time of all exchanges, one after the other, by the loads of the links.
double steppedSeconds(Collective collective, const System& system) {
  const IpuRing ring =
      ringThrough(system, consecutiveIpus(0, collective.replicas), collective.method);
  collective.mirror = ring.mirror;
  return exchangesSeconds(system, Routes(system), collective, ring.ipus);
}

/// Holds the formula, with hops of `links` links, against the exchanges of all kinds.
void expectFormula(CollectiveMethod method, double links, const System& system) {
  const std::uint32_t n = system.ipus;
  const double step = globalExchangeSeconds(system, Routes(system), {}, n);
  for (const CollectiveKind kind : kKinds) {
    const Collective collective{kind, method, n, Bytes(std::uint64_t{n} * 12'800)};
    const double wanted = collectiveSeconds(collective, {step, links * kLinkRate});
    EXPECT_NEAR(steppedSeconds(collective, system), wanted, 1e-9 * wanted)
        << n << " IPUs, method " << static_cast<int>(method);
  }
}

// Hops are rails of two links. Two IPUs are a rung only, whose own traffic has four.
TEST(Collectives, TakeTheTimeOfTheirFormulaOnTheLadder) {
  for (std::uint32_t n = 2; n <= 64; n += 2) {
    for (const CollectiveMethod method : kLadderMethods) {
      expectFormula(method, n == 2 ? 4 : 2, ladderOf(n));
    }
  }
}

// Where the rails are closed and the rungs are an even number, all four rings of a quad ring have
// rails of their own. The links of a rung are twice as many and carry twice as much.
TEST(Collectives, QuadRingsTakeTheTimeOfTheirFormulaOnTheTorus) {
  for (std::uint32_t n = 8; n <= 64; n += 4) {
    expectFormula(CollectiveMethod::QuadRing, 2, ladderOf(n, "torus"));
  }
}

// On an open ladder the mirrored order is the first one backwards, and each rail carries two rings.
TEST(Collectives, QuadRingsGainNothingOnTheOpenLadder) {
  for (const std::uint32_t n : {4U, 6U, 16U, 64U}) {
    expectFormula(CollectiveMethod::QuadRing, 1, ladderOf(n));
  }
}

// The rails in the middle of a ladder carry most in a broadcast: those behind the first n / 4 rungs
// carry n^2 / 8 flows, rounded down.
TEST(Collectives, BroadcastsTakeTheTimeOfTheirFormulaOnTheLadder) {
  for (std::uint32_t n = 2; n <= 64; n += 2) {
    const std::uint32_t flows = n * n / 8;
    const double links = n == 2 ? 4 : 2.0 * (n - 1) / flows;
    expectFormula(CollectiveMethod::Broadcast, links, ladderOf(n));
  }
}

using Contributors = std::set<std::uint32_t>;

/// Lets sets of replicas take the place of sums. Each replica begins with itself in every fragment.
std::vector<std::vector<Contributors>> reduced(const Collective& collective) {
  std::vector<std::vector<Contributors>> held(collective.replicas);
  for (std::uint32_t r = 0; r < collective.replicas; ++r) {
    held[r].assign(fragmentsOf(collective), {r});
  }
  for (const auto& moves : collectiveMoves(collective)) {
    const auto before = held;
    for (const FragmentMove& move : moves) {
      for (const std::uint32_t replica : before[move.from][move.fragment]) {
        EXPECT_TRUE(held[move.to][move.fragment].insert(replica).second) << "added twice";
      }
    }
  }
  return held;
}

/// A collective whose quad ring has the mirrored order of a torus.
Collective collectiveOf(CollectiveKind kind, CollectiveMethod method, std::uint32_t n) {
  const System system = ladderOf(n, "torus");
  return {kind, method, n, Bytes(n), ringThrough(system, consecutiveIpus(0, n), method).mirror};
}

TEST(ReduceScatters, AddTheDataOfEveryReplicaOnce) {
  for (const std::uint32_t n : {2U, 4U, 6U, 16U, 64U}) {
    for (const CollectiveMethod method : kCollectiveMethods) {
      const Collective collective = collectiveOf(CollectiveKind::ReduceScatter, method, n);
      const auto held = reduced(collective);
      for (std::uint32_t f = 0; f < fragmentsOf(collective); ++f) {
        EXPECT_EQ(held[f % n][f].size(), n) << "fragment " << f;
      }
    }
  }
}

/// The fragments that each replica has after a gather.
std::vector<Contributors> gathered(const Collective& collective) {
  const std::uint32_t n = collective.replicas;
  std::vector<Contributors> has(n);
  for (std::uint32_t f = 0; f < fragmentsOf(collective); ++f) has[f % n].insert(f);
  for (const auto& moves : collectiveMoves(collective)) {
    const auto before = has;
    for (const FragmentMove& move : moves) {
      EXPECT_EQ(before[move.from].count(move.fragment), 1U);
      EXPECT_TRUE(has[move.to].insert(move.fragment).second) << "sent twice";
    }
  }
  return has;
}

TEST(AllGathers, BringEveryFragmentToEveryReplicaOnce) {
  for (const std::uint32_t n : {2U, 4U, 6U, 16U, 64U}) {
    for (const CollectiveMethod method : kCollectiveMethods) {
      const Collective collective = collectiveOf(CollectiveKind::AllGather, method, n);
      for (const Contributors& fragments : gathered(collective)) {
        EXPECT_EQ(fragments.size(), fragmentsOf(collective));
      }
    }
  }
}

TEST(Rings, RefuseAnOddNumberOfReplicas) {
  for (const CollectiveMethod method :
       {CollectiveMethod::Ring, CollectiveMethod::OppositeRings, CollectiveMethod::MeetInTheMiddle,
        CollectiveMethod::QuadRing}) {
    const Collective odd{CollectiveKind::AllReduce, method, 3, Bytes(3)};
    EXPECT_THROW(collectiveMoves(odd), ConfigError);
    EXPECT_THROW(collectiveSeconds(odd, {1, 1}), ConfigError);
  }
}

TEST(RingOrders, GoUpOneRailAndDownTheOther) {
  const System system = ladderOf(16);
  EXPECT_THAT(ringOrder(system, consecutiveIpus(0, 8)), ElementsAre(0, 2, 4, 6, 7, 5, 3, 1));
  EXPECT_THAT(ringOrder(system, consecutiveIpus(4, 4)), ElementsAre(4, 6, 7, 5));
  EXPECT_THAT(ringOrder(system, {0, 4, 8, 12}), ElementsAre(0, 4, 8, 12));
}

TEST(RingOrders, OfAQuadRingTurnAtEveryRung) {
  const IpuRing ring =
      ringThrough(ladderOf(8, "torus"), consecutiveIpus(0, 8), CollectiveMethod::QuadRing);
  EXPECT_THAT(ring.ipus, ElementsAre(0, 1, 3, 2, 4, 5, 7, 6));
  EXPECT_THAT(ring.mirror, ElementsAre(1, 0, 3, 2, 5, 4, 7, 6));
}

System edgesOf(std::uint32_t ipus, const std::string& edges) {
  return readSystem(ConfigReader::fromText(fmt::format("machine = {{base = \"pod16\", ipus = {}, "
                                                       "layout = \"edges\", edges = [{}]}}",
                                                       ipus, edges),
                                           "edges.toml"),
                    "machine");
}

// Rings of one's own: a ring with numbers of its own order, a grid of two by three, and a star, in
// which there is no ring.
TEST(RingOrders, FollowTheLinksOfOtherTopologies) {
  const System ring = edgesOf(6, R"("0-3 x1", "3-1 x1", "1-4 x1", "4-2 x1", "2-5 x1", "5-0 x1")");
  EXPECT_THAT(ringOrder(ring, consecutiveIpus(0, 6)), ElementsAre(0, 3, 1, 4, 2, 5));
  const System grid =
      edgesOf(6, R"("0-1 x1", "1-2 x1", "3-4 x1", "4-5 x1", "0-3 x1", "1-4 x1", "2-5 x1")");
  EXPECT_THAT(ringOrder(grid, consecutiveIpus(0, 6)), ElementsAre(0, 3, 4, 5, 2, 1));
  const System star = edgesOf(4, R"("0-1 x1", "0-2 x1", "0-3 x1")");
  EXPECT_THAT(ringOrder(star, consecutiveIpus(0, 4)), ElementsAre(0, 1, 2, 3));
}

// The thresholds of the vendor's library, in bytes per replica and, of a gather, per fragment.
TEST(PublishedMethods, ChangeAtTheThresholds) {
  const auto reduce = [](std::uint32_t n, std::uint64_t bytes) {
    return publishedMethod(CollectiveKind::ReduceScatter, n, Bytes(bytes));
  };
  EXPECT_EQ(reduce(2, 1), CollectiveMethod::Ring);
  EXPECT_EQ(reduce(4, 1'245'183), CollectiveMethod::MeetInTheMiddle);
  EXPECT_EQ(reduce(4, 1'245'184), CollectiveMethod::OppositeRings);
  EXPECT_EQ(reduce(8, 4'980'735), CollectiveMethod::MeetInTheMiddle);
  EXPECT_EQ(reduce(16, 39'845'888), CollectiveMethod::OppositeRings);
  EXPECT_EQ(reduce(32, 1'000'000'000), CollectiveMethod::MeetInTheMiddle);
  const auto gather = [](std::uint32_t n, std::uint64_t fragment) {
    return publishedMethod(CollectiveKind::AllGather, n, Bytes(n * fragment));
  };
  EXPECT_EQ(gather(4, 622'591), CollectiveMethod::MeetInTheMiddle);
  EXPECT_EQ(gather(4, 622'592), CollectiveMethod::OppositeRings);
  const auto sum = [](std::uint32_t n, std::uint64_t bytes) {
    return publishedMethod(CollectiveKind::AllReduce, n, Bytes(bytes));
  };
  EXPECT_EQ(sum(2, 1'024), CollectiveMethod::Broadcast);
  EXPECT_EQ(sum(2, 1'025), CollectiveMethod::Ring);
  EXPECT_EQ(sum(16, 128), CollectiveMethod::Broadcast);
  EXPECT_EQ(sum(16, 129), CollectiveMethod::MeetInTheMiddle);
}

}  // namespace
}  // namespace ipusim::models
