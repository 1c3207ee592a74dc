// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/global_exchange.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/toy_pod.h"

// The toy pod: 4 tiles an IPU, 8 exchange contexts, packets of 64 B with 4 B more, links of 1 B per
// cycle: 4 on a rung, 2 of a rung for traffic that goes on, 2 on a rail. Fixed cost 50 cycles, sync
// 2 x 5 cycles per hop.

namespace ipusim::models {
namespace {

GlobalExchangeCost costOf(const System& system, const std::vector<TileFlow>& flows) {
  return globalExchangeCost(system, Routes(system), flows);
}

TEST(GlobalExchange, TakesTheLinksTimeForWholePackets) {
  // 100 B are two packets: 108 B over 4 links.
  const GlobalExchangeCost cost = costOf(toySystem(2), {{0, 4, Bytes(100)}});
  EXPECT_EQ(cost.sync, Cycles(2 * 5));
  EXPECT_EQ(cost.transfer, Cycles(50 + 27));
  ASSERT_EQ(cost.loads.size(), 1U);
  EXPECT_EQ(cost.loads[0].bytes, Bytes(108));
  EXPECT_EQ(cost.loads[0].busy, Cycles(27));
}

TEST(GlobalExchange, AddsUpOnSharedLinks) {
  // IPUs 0 and 1 both send to IPU 3. From 0 over the rung to 1, then up the rail; from 1 up the
  // same rail: 2 x 68 B over 2 links. The rung has 68 B on the 2 links for traffic that goes on.
  const GlobalExchangeCost cost = costOf(toySystem(4), {{0, 12, Bytes(64)}, {4, 13, Bytes(64)}});
  EXPECT_EQ(cost.sync, Cycles(2 * 2 * 5));
  EXPECT_EQ(cost.transfer, Cycles(50 + 68));
  ASSERT_EQ(cost.loads.size(), 2U);
  EXPECT_EQ(cost.loads[0].busy + cost.loads[1].busy, Cycles(34 + 68));
}

TEST(GlobalExchange, IsBoundByTheTileThatSendsMost) {
  // Fast links: 640 B in ten packets are 680 B, 4 B per cycle out of one tile.
  System system = toySystem(2);
  for (LinkSet& set : system.links) set.bytes_per_second = 1'000'000'000'000;
  EXPECT_EQ(costOf(system, {{1, 5, Bytes(640)}}).transfer, Cycles(50 + 170));
}

TEST(GlobalExchange, IsBoundByTheContextsThatTilesShare) {
  // Tiles 0 and 2 share two contexts, which pass 2 words per cycle; tiles 0, 2 and 8, 10 on an IPU
  // of 16 tiles share the same ones: 4 x 68 B at 8 B per cycle, more than 68 B at 4 B per cycle.
  System system = toySystem(2, 16);
  for (LinkSet& set : system.links) set.bytes_per_second = 1'000'000'000'000;
  const std::vector<TileFlow> shared = {
      {0, 16, Bytes(64)}, {2, 17, Bytes(64)}, {8, 20, Bytes(64)}, {10, 21, Bytes(64)}};
  EXPECT_EQ(costOf(system, shared).transfer, Cycles(50 + 34));
  const std::vector<TileFlow> apart = {
      {0, 16, Bytes(64)}, {1, 17, Bytes(64)}, {4, 20, Bytes(64)}, {5, 21, Bytes(64)}};
  EXPECT_EQ(costOf(system, apart).transfer, Cycles(50 + 17));
}

// A context of the Mk2 has 46 of 1,472 tiles, one of the GC2 38 of 1,216.
TEST(GlobalExchange, SharesTheContextsOfAnIpuEvenly) {
  for (const char* name : {"pod16", "c2-pod16"}) {
    System system = readSystem(name);
    for (LinkSet& set : system.links) set.bytes_per_second = 1'000'000'000'000'000;
    std::vector<TileFlow> flows;
    for (std::uint32_t t = 0; t < system.ipu.tiles; ++t) {
      flows.push_back({t, system.ipu.tiles + t, Bytes(1024)});
    }
    const std::uint64_t words = system.ipu.tiles / 32 * (1024 + 8) / 4 / 2;
    EXPECT_EQ(costOf(system, flows).transfer, system.timing.fixed + Cycles(words)) << name;
  }
}

// Bytes times hops of all flows are the bytes on all links.
TEST(GlobalExchange, ConservesBytesTimesHops) {
  const System system = readSystem("pod64");
  const Routes routes(system);
  std::mt19937 random(7);
  std::vector<TileFlow> flows;
  Bytes hops;
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t tiles = system.ipus * system.ipu.tiles;
    const auto from = static_cast<std::uint32_t>(random() % tiles);
    const auto to = static_cast<std::uint32_t>(random() % tiles);
    flows.push_back({from, to, Bytes(1024)});
    hops += routes.between(from / system.ipu.tiles, to / system.ipu.tiles).size() * Bytes(1032);
  }
  Bytes carried;
  for (const LinkLoad& load : globalExchangeCost(system, routes, flows).loads)
    carried += load.bytes;
  EXPECT_EQ(carried, hops);
}

}  // namespace
}  // namespace ipusim::models
