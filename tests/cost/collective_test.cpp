// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "ipusim/error.h"

namespace ipusim::models {
namespace {

constexpr std::array kMethods = {CollectiveMethod::Ring, CollectiveMethod::OppositeRings,
                                 CollectiveMethod::MeetInTheMiddle};
constexpr std::array kKinds = {CollectiveKind::ReduceScatter, CollectiveKind::AllGather,
                               CollectiveKind::AllReduce};

/// A ladder of `ipus` without packet headers, so that a formula in bytes holds exactly.
Pod ladderOf(std::uint32_t ipus) {
  return readPod(ConfigReader::fromText("machine = {base = \"pod16\", packet_header_bytes = 0, "
                                        "ipus = " +
                                            std::to_string(ipus) + "}",
                                        "ladder.toml"),
                 "machine");
}

/// The time of all exchanges, one after the other, by the loads of the links.
double steppedSeconds(const Collective& collective, const Pod& pod) {
  const Routes routes(pod);
  const std::vector<std::uint32_t> ring = ladderRing(collective.replicas);
  double seconds = 0;
  for (const auto& moves : collectiveMoves(collective)) {
    seconds += globalExchangeSeconds(pod, routes, flowsOf(moves, collective, ring), pod.ipus);
  }
  return seconds;
}

TEST(Collectives, TakeTheTimeOfTheirFormulaOnTheLadder) {
  for (std::uint32_t n = 2; n <= 64; n += 2) {
    const Pod pod = ladderOf(n);
    const double step = globalExchangeSeconds(pod, Routes(pod), {}, n);
    // Hops are rails of two links. Two IPUs are a rung only, whose own traffic has four.
    const double rate = (n == 2 ? 4 : 2) * 17'179'869'184.0 * 0.783;
    for (const CollectiveMethod method : kMethods) {
      for (const CollectiveKind kind : kKinds) {
        const Collective collective{kind, method, n, Bytes(std::uint64_t{n} * 12'800)};
        const double wanted = collectiveSeconds(collective, {step, rate});
        EXPECT_NEAR(steppedSeconds(collective, pod), wanted, 1e-9 * wanted) << n;
      }
    }
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

TEST(ReduceScatters, AddTheDataOfEveryReplicaOnce) {
  for (const std::uint32_t n : {2U, 4U, 6U, 16U, 64U}) {
    for (const CollectiveMethod method : kMethods) {
      const Collective collective{CollectiveKind::ReduceScatter, method, n, Bytes(n)};
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
    for (const CollectiveMethod method : kMethods) {
      const Collective collective{CollectiveKind::AllGather, method, n, Bytes(n)};
      for (const Contributors& fragments : gathered(collective)) {
        EXPECT_EQ(fragments.size(), fragmentsOf(collective));
      }
    }
  }
}

TEST(LadderRings, GoUpOneRailAndDownTheOther) {
  EXPECT_EQ(ladderRing(8), std::vector<std::uint32_t>({0, 2, 4, 6, 7, 5, 3, 1}));
  EXPECT_THROW(ladderRing(5), ConfigError);
  EXPECT_THROW(collectiveMoves({CollectiveKind::AllReduce, CollectiveMethod::Ring, 3, Bytes(3)}),
               ConfigError);
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
}

}  // namespace
}  // namespace ipusim::models
