// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "sim/parallel/redistribution/job.h"

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

RedistributionJob jobOf(const std::string& machine, const std::string& keys) {
  return readJob(
      ConfigReader::fromText("machine = " + machine + "\n[redistribution]\n" + keys, "job.toml"));
}

void expectRefused(const std::string& machine, const std::string& keys, const std::string& part) {
  EXPECT_THAT([&] { jobOf(machine, keys); }, ThrowsMessage<ConfigError>(HasSubstr(part)));
}

constexpr const char* kTypes = "mesh = \"x=2,y=3\"\nsource = \"[3{x}6]\"\ntarget = \"[2{y}6]\"\n";

TEST(RedistributionJobs, AreOnSystemsOrOnTiles) {
  EXPECT_EQ(nameOf(jobOf("\"pod16\"", kTypes).place), "pod16");
  EXPECT_EQ(nameOf(jobOf("\"gc200\"", kTypes).place), "gc200");
  EXPECT_EQ(nameOf(jobOf("\"configs/systems/pod16.toml\"", kTypes).place), "pod16");
  const auto job = jobOf("{base = \"configs/systems/pod16.toml\", ipus = 8}", kTypes);
  EXPECT_EQ(std::get<System>(job.place).ipus, 8U);
}

TEST(RedistributionJobs, TakePartitionSpecifications) {
  const auto job = jobOf("\"pod16\"",
                         "mesh = \"x=2,y=2\"\nshape = [8, 8]\nsource_spec = \"(x,y),-\"\n"
                         "target_spec = \"-,x\"\ntype = \"half\"\n");
  const auto& asked = std::get<Redistribution>(job.asked);
  EXPECT_EQ(toText(asked.source, asked.mesh), "[2{y,x}8, 8{}8]");
  EXPECT_EQ(job.type, ElementType::Half);
}

TEST(RedistributionJobs, RefuseInOneLineWithThePlaceOnce) {
  expectRefused("\"pod17\"", kTypes, "job.toml:1: machine: wanted a system (bow-pod128,");
  expectRefused("\"m2000\"", kTypes, "job.toml:3: redistribution.mesh: wanted at most the 4");
  expectRefused("\"pod16\"", "", "job.toml:2: redistribution.mesh: wanted a text, found nothing");
  expectRefused("\"pod16\"", "mesh = \"x=0\"\n", "job.toml:3: redistribution.mesh: wanted a size");
  expectRefused("\"pod16\"", "mesh = \"x=2\"\nsource = \"[3{x}6]\"\ntarget = \"[4{x}8]\"\n",
                "job.toml:5: redistribution.target: wanted an array of the shape of [3{x}6]");
  expectRefused("\"m2000\"", "random_cases = 1\ndevices = 8\n",
                "redistribution.devices: wanted at most the 4");
}

TEST(RedistributionReports, NameEveryWayInTableAndJson) {
  const auto job = jobOf("\"pod16\"", kTypes);
  const RedistributionReport report =
      study(std::get<Redistribution>(job.asked), job.type, job.place, WithNumbers::No);
  const std::string table = tableOf(report, job.place);
  const std::string json = jsonOf(report, job.place);
  for (const char* way : {"fewest steps", "least received", "least time", "rewriting",
                          "groups of devices", "gather and slice", "direct exchange"}) {
    EXPECT_THAT(table, HasSubstr(way));
    EXPECT_THAT(json, HasSubstr(way));
  }
  EXPECT_THAT(tableOf(SpeedUps{3, 0, 0, 0, 0}, job.place),
              HasSubstr("none of 3 random redistributions on pod16 moves anything"));
}

}  // namespace
}  // namespace ipusim::parallel
