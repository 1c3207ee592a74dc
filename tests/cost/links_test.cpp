// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "ipusim/error.h"

namespace ipusim::models {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// The IPUs that a flow passes, its end included.
std::vector<std::uint32_t> way(const System& system, std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> ipus;
  std::uint32_t at = from;
  for (const std::uint32_t set : Routes(system).between(from, to)) {
    EXPECT_EQ(system.links[set].from, at);
    at = system.links[set].to;
    ipus.push_back(at);
  }
  return ipus;
}

using Ipus = std::vector<std::uint32_t>;

TEST(Routes, CrossTheRungFirstThenFollowTheRail) {
  const System system = readSystem("pod16");
  EXPECT_EQ(way(system, 4, 5), Ipus({5}));
  EXPECT_EQ(way(system, 0, 6), Ipus({2, 4, 6}));
  EXPECT_EQ(way(system, 7, 2), Ipus({6, 4, 2}));
  EXPECT_EQ(way(system, 3, 3), Ipus());
}

TEST(Routes, GoTheShorterWayRoundATorusAndOverRacks) {
  EXPECT_EQ(way(readSystem("pod64"), 1, 61), Ipus({63, 61}));
  EXPECT_EQ(way(readSystem("pod64"), 62, 1), Ipus({63, 1}));
  EXPECT_EQ(way(readSystem("pod256"), 0, 194), Ipus({2, 194}));
  EXPECT_EQ(way(readSystem("pod128"), 66, 0), Ipus({64, 0}));
}

// The rung has sets of their own for traffic that stays on it and for traffic that goes on.
TEST(Routes, KeepThroughTrafficApart) {
  const System system = readSystem("m2000");
  const Routes routes(system);
  const LinkSet own = system.links[routes.between(0, 1).front()];
  const LinkSet through = system.links[routes.between(0, 3).front()];
  EXPECT_EQ(own.links, 4U);
  EXPECT_EQ(through.links, 2U);
  EXPECT_EQ(through.to, 1U);
}

TEST(Routes, AreShortestOnEdgesOfAUser) {
  const ConfigReader config = ConfigReader::fromText(
      "[machine]\nbase = \"pod16\"\nipus = 5\nlayout = \"edges\"\n"
      "edges = [\"0-1 x1\", \"1-2 x1\", \"2-3 x1\", \"0-3 x1\"]\n",
      "edges.toml");
  const System system = readSystem(config, "machine");
  EXPECT_EQ(way(system, 0, 2), Ipus({1, 2}));
  EXPECT_EQ(way(system, 3, 1), Ipus({0, 1}));
  EXPECT_THAT([&] { static_cast<void>(Routes(system).between(0, 4)); },
              ThrowsMessage<ConfigError>(HasSubstr("lead from IPU 0 to IPU 4")));
}

// The bytes of all sets are the bytes of all flows times their hops.
TEST(Loads, AreConserved) {
  std::mt19937_64 random(1);
  for (const std::string& name : systemNames()) {
    const System system = readSystem(name);
    const Routes routes(system);
    std::vector<Flow> flows;
    std::uint64_t hops = 0;
    for (int i = 0; i < 200; ++i) {
      const auto from = static_cast<std::uint32_t>(random() % system.ipus);
      const auto to = static_cast<std::uint32_t>(random() % system.ipus);
      flows.push_back({from, to, Bytes(random() % 10000)});
      hops += flows.back().bytes.value() * routes.between(from, to).size();
    }
    std::uint64_t carried = 0;
    for (const Bytes load : routes.loads(flows)) carried += load.value();
    EXPECT_EQ(carried, hops) << name;
  }
}

// 1,024,000 bytes are 1,000 packets with 8 bytes of header each, over two links of 16 GiB/s at
// 0.783.
// There and back over 1, 2, 5 and 17 hops of 15 ns.
TEST(ExternalSync, GrowsWithHalfOfTheRungs) {
  const System system = readSystem("pod64");
  EXPECT_DOUBLE_EQ(externalSyncSeconds(system, 2), 30e-9);
  EXPECT_DOUBLE_EQ(externalSyncSeconds(system, 6), 60e-9);
  EXPECT_DOUBLE_EQ(externalSyncSeconds(system, 16), 150e-9);
  EXPECT_DOUBLE_EQ(externalSyncSeconds(system, 64), 510e-9);
}

// 64 contexts pass a word each per cycle; one tile alone passes one.
TEST(Tiles, HandOverAWordPerCycleAndContext) {
  const System system = readSystem("m2000");
  EXPECT_DOUBLE_EQ(tileSeconds(system, Bytes(std::uint64_t{64} * 400), 1472), 100 / 1.33e9);
  EXPECT_DOUBLE_EQ(tileSeconds(system, Bytes(400), 1), 100 / 1.33e9);
}

TEST(GlobalExchange, IsSyncFixedCostAndTheFullestSet) {
  const System system = readSystem("m2000");
  const double sync = 2 * (1 + 4.0 / 4) * 15e-9;
  const double fixed = 2000 / 1.33e9;
  const double links = 1'032'000 / (2 * 17'179'869'184.0 * 0.783);
  EXPECT_NEAR(globalExchangeSeconds(system, Routes(system), {{0, 2, Bytes(1'024'000)}}, 4),
              sync + fixed + links, 1e-12);
  EXPECT_NEAR(globalExchangeSeconds(system, Routes(system), {}, 4), sync + fixed, 1e-15);
}

}  // namespace
}  // namespace ipusim::models
