// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/streaming.h"

#include <gtest/gtest.h>

#include "models/ipu/machine/system.h"

namespace ipusim::models {
namespace {

Machine ipuOfM2000() {
  return readIpuOf("m2000");
}

TEST(RowLoad, CountsWholePacketsOfEveryTile) {
  const Machine ipu = ipuOfM2000();
  const RowLoad load = rowLoad(ipu, {{0, Bytes(1025)}, {7, Bytes(4)}});
  EXPECT_EQ(load.payload, Bytes(1029));
  EXPECT_EQ(load.on_memory, Bytes(3 * std::uint64_t{1024 + 8}));
}

TEST(RowLoad, IsNoFasterThanATile) {
  EXPECT_EQ(rowLoad(ipuOfM2000(), {{5, Bytes(1024)}}).ports, Cycles(1032 / 4));
}

TEST(RowLoad, IsNoFasterThanThePairOfContextsThatTilesShare) {
  // Tiles 0 and 2 reach one pair of contexts, tile 1 another. A pair passes two words per cycle.
  const Machine ipu = ipuOfM2000();
  const Bytes bytes(1024);
  EXPECT_EQ(rowLoad(ipu, {{0, bytes}, {1, bytes}}).ports, Cycles(258));
  EXPECT_EQ(rowLoad(ipu, {{0, bytes}, {2, bytes}, {64, bytes}}).ports, Cycles(3 * 258 / 2));
}

TEST(StreamingRate, IsRoundedDown) {
  Machine ipu = ipuOfM2000();
  ipu.clock_hz = 1e9;
  EXPECT_EQ(streamingRate(ipu, 2'500'000'000, 20), (std::uint64_t{5} << 20U) / 2);
  EXPECT_EQ(streamingRate(ipu, 1'000, 20), 1U);
}

TEST(StreamingMemory, ComesWithTheIpuOfASystem) {
  const StreamingMemory memory = ipuOfM2000().streaming;
  EXPECT_EQ(memory.ipus, 4U);
  EXPECT_EQ(memory.packet_payload, Bytes(1024));
  EXPECT_EQ(memory.contexts, 64U);
  EXPECT_EQ(readIpuOf("c600").streaming.ipus, 0U);
  EXPECT_EQ(readPreset("gc200").streaming.ipus, 0U);
}

}  // namespace
}  // namespace ipusim::models
