// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "ipusim/error.h"
#include "models/ipu/machine/system.h"

namespace ipusim::models {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::ThrowsMessage;

System podFrom(const std::string& table) {
  return readSystem(ConfigReader::fromText("machine = " + table, "pod.toml"), "machine");
}

std::uint32_t linksOut(const System& system, std::uint32_t ipu) {
  std::uint32_t links = 0;
  for (const LinkSet& set : system.links) links += set.from == ipu ? set.links : 0;
  return links;
}

TEST(Pods, AreListed) {
  EXPECT_THAT(systemNames(), IsSupersetOf({"bow-pod16", "bow-pod256", "bow-pod64", "c2-pod16",
                                           "c600", "m2000", "pod128", "pod16", "pod256", "pod64"}));
}

// The engines count bytes in 2^20 cycles of 1 ns, here at least one for each of four IPUs.
TEST(Pods, HaveStreamingRatesThatTheEnginesCount) {
  const auto read = [](const char* rate, const char* ipu_rate) {
    return podFrom(std::string("{base = \"m2000\", ipu = \"toy\", streaming_bytes_per_second = ") +
                   rate + ", streaming_ipu_bytes_per_second = " + ipu_rate + "}");
  };
  EXPECT_NO_THROW(read("3_815", "954"));
  EXPECT_THAT([&] { read("3_814", "954"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("pod.toml:1: machine.streaming_bytes_per_second: wanted at least 3815: "
                            "a byte in 2^20 cycles for each of 4 IPUs, found 3814")));
  EXPECT_THAT([&] { read("3_815", "953"); },
              ThrowsMessage<ConfigError>(
                  HasSubstr("machine.streaming_ipu_bytes_per_second: wanted at least 954")));
}

TEST(Pods, AreReadAndNamedAfterTheirFile) {
  for (const std::string& name : systemNames()) EXPECT_EQ(readSystem(name).name, name);
}

TEST(Pods, GiveASourceForEveryNumber) {
  for (const std::string& name : systemNames()) {
    const ConfigReader preset =
        ConfigReader::fromFile(findConfigFile("configs/systems/" + name + ".toml", {}));
    const std::set<std::string> texts = {"ipu", "base", "name", "layout", "edges"};
    for (const std::string& key : preset.keys()) {
      if (texts.count(key) != 0) continue;
      EXPECT_FALSE(preset.table(key).text("source").empty()) << name << " " << key;
    }
  }
}

// Ten links per IPU: six to the partner, two up, two down (graphcore/examples, popxl tutorial 5).
TEST(Pods, HaveTenLinksInsideALadder) {
  const System system = readSystem("pod16");
  EXPECT_EQ(linksOut(system, 0), 8U);
  EXPECT_EQ(linksOut(system, 6), 10U);
  EXPECT_EQ(linksOut(system, 15), 8U);
  for (std::uint32_t ipu = 0; ipu < 64; ++ipu) EXPECT_EQ(linksOut(readSystem("pod64"), ipu), 10U);
}

// Two 100 GbE ports per machine of four IPUs: with two racks both lead to the other one, with four
// each leads to one neighbour.
TEST(Pods, ShareTheGatewayAmongNeighbourRacks) {
  const auto rate_out = [](const System& system) {
    std::uint64_t rate = 0;
    for (const LinkSet& set : system.links) {
      if (set.from == 0 && set.to % 64 == 0) rate += set.bytes_per_second;
    }
    return rate;
  };
  EXPECT_EQ(rate_out(readSystem("pod128")), 6'250'000'000U);
  EXPECT_EQ(rate_out(readSystem("pod256")), 6'250'000'000U);
}

TEST(Pods, AreOfTheIpuThatTheyName) {
  EXPECT_EQ(readSystem("bow-pod64").ipu.name, "bow");
  EXPECT_EQ(readSystem("bow-pod64").ipus, 64U);
  EXPECT_EQ(readSystem("c600").ipus, 1U);
  EXPECT_TRUE(readSystem("c600").links.empty());
  EXPECT_EQ(readSystem("c600").ipu.streaming.ipus, 0U);
}

TEST(Pods, TakeNumbersAndEdgesOfATable) {
  EXPECT_EQ(podFrom(R"({base = "pod16", ipus = 4})").links.size(), 12U);
  const System ring = podFrom(
      R"({base = "pod16", ipus = 3, layout = "edges", edges = ["0>1 x2", "1>2 x2", "2-0 x1"]})");
  ASSERT_EQ(ring.links.size(), 4U);
  EXPECT_EQ(ring.links[3].from, 0U);
  EXPECT_EQ(ring.links[3].to, 2U);
  EXPECT_EQ(ring.links[1].links, 2U);
}

TEST(Pods, RefuseInOneLineWhatIsIllegal) {
  EXPECT_THAT([] { podFrom(R"({base = "pod16", ipus = 5})"); },
              ThrowsMessage<ConfigError>(
                  AllOf(HasSubstr("pod.toml:1: machine.ipus"), HasSubstr("even number"))));
  EXPECT_THAT([] { podFrom(R"({base = "pod128", ipus = 96})"); },
              ThrowsMessage<ConfigError>(HasSubstr("a multiple of rack_ipus, 64")));
  for (const char* edge : {"0-0 x1", "0-9 x1", "0-1", "0-1 x0", "0-1 x1 "}) {
    EXPECT_THAT(
        [edge] {
          podFrom(std::string(R"({base = "pod16", ipus = 4, layout = "edges", edges = [")") + edge +
                  "\"]}");
        },
        ThrowsMessage<ConfigError>(HasSubstr("machine.edges: wanted edges such as")))
        << edge;
  }
  EXPECT_THAT([] { podFrom(R"({base = "pod16", ipus = 6, rack_ipus = 3})"); },
              ThrowsMessage<ConfigError>(HasSubstr("machine.rack_ipus: wanted an even number")));
  EXPECT_THAT([] { podFrom(R"({base = "pod16", edges = ["0-1 x1"]})"); },
              ThrowsMessage<ConfigError>(HasSubstr("machine.layout: wanted edges")));
  EXPECT_THAT([] { podFrom(R"({base = "pod16", layout = "edges"})"); },
              ThrowsMessage<ConfigError>(HasSubstr("machine.edges: wanted edges such as")));
  EXPECT_THAT(
      [] { podFrom(R"({base = "pod16", layout = "edges", edges = ["0-1 x1", "1>0 x2"]})"); },
      ThrowsMessage<ConfigError>(
          HasSubstr("machine.edges: wanted each direction once, found \"1>0 x2\"")));
  EXPECT_THAT([] { podFrom(R"("pod17")"); }, ThrowsMessage<ConfigError>(HasSubstr("pod16")));
}

}  // namespace
}  // namespace ipusim::models
