// SPDX-License-Identifier: Apache-2.0
#include "sim/run/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/json.h"
#include "tests/support/thrown.h"

namespace ipusim::run {
namespace {

using testing::HasSubstr;

constexpr const char* kCopyOnTwoTiles = R"(
machine = "toy"
[workload]
kind = "codelet"
codelet = "copy"
type = "float"
elements = 64
tiles = [0, 2]
)";

ConfigReader configOf(const std::string& text) {
  return ConfigReader::fromText(text, "test.toml");
}

TEST(Simulate, GivesTheSameBytesTwice) {
  const auto once = [] {
    return report::jsonText(simulate(configOf(kCopyOnTwoTiles), Engine::SystemC));
  };
  EXPECT_EQ(once(), once());
}

TEST(Simulate, BothEnginesGiveTheSameResult) {
  auto chip = report::toJson(simulate(configOf(kCopyOnTwoTiles), Engine::SystemC));
  auto closed_form = report::toJson(simulate(configOf(kCopyOnTwoTiles), Engine::ClosedForm));
  EXPECT_EQ(chip["engine"]["kind"], "systemc");
  EXPECT_EQ(closed_form["engine"]["kind"], "closed-form");
  chip.erase("engine");
  closed_form.erase("engine");
  EXPECT_EQ(chip, closed_form);
}

TEST(Simulate, NamesWholeParametersAsSuch) {
  const std::vector<Override> reals = {{"workload.m", "1e2"}, {"workload.k", "64.0"}};
  const RunResult result =
      simulate(ConfigReader::fromFile("configs/runs/matmul.toml", reals), Engine::ClosedForm);
  EXPECT_EQ(result.parameters[0], std::make_pair(std::string("m"), std::string("100")));
  EXPECT_EQ(result.parameters[1], std::make_pair(std::string("k"), std::string("64")));
}

TEST(Simulate, OnlyTheTilesOfTheVertexAreBusy) {
  const RunResult result = simulate(configOf(kCopyOnTwoTiles), Engine::ClosedForm);
  ASSERT_EQ(result.tiles.size(), 4U);
  EXPECT_GT(result.tiles[0].compute + result.tiles[0].copy, Cycles(0));
  EXPECT_EQ(result.tiles[1].compute + result.tiles[1].copy, Cycles(0));
  EXPECT_EQ(result.tiles[2].compute, result.tiles[0].compute);
}

TEST(HostCopies, TakeTheLinksTimeForTheBytesOfTheOperands) {
  // The toy machine's link: 100 cycles, and a byte a nanosecond.
  const std::string text =
      "machine = \"toy\"\n[workload]\nkind = \"exchange_latency\"\nfrom = 0\nto = 1\nbytes = 400\n"
      "[host]\ncopy_in = true\ncopy_out = true\n";
  const RunResult with = simulate(configOf(text), Engine::ClosedForm);
  const auto link = static_cast<std::uint64_t>(400.0 * with.machine.clock_hz / 1e9);
  ASSERT_EQ(with.steps.front().name, "host/copyIn/Sync");
  EXPECT_EQ(with.steps[1].cycles, Cycles(100 + link));
  EXPECT_EQ(with.steps[1].host, Bytes(400));
  EXPECT_EQ(with.time.host, Cycles(2 * (100 + link)));
}

TEST(HostCopies, AreRefusedWhereTheHostKnowsNoOperands) {
  const std::string text = std::string(kCopyOnTwoTiles) + "[host]\ncopy_out = true\n";
  EXPECT_THAT(configErrorOf([&] { prepare(configOf(text)); }), HasSubstr("host.copy_out"));
}

TEST(Prepare, KeepsTheConfigWithItsOverrides) {
  const auto config =
      ConfigReader::fromText(kCopyOnTwoTiles, "test.toml", {{"workload.elements", "32"}});
  EXPECT_THAT(prepare(config).config.text(), HasSubstr("\"elements\":32"));
}

TEST(Prepare, RejectsAKeyThatNobodyReads) {
  const std::string text = std::string("machin = \"toy\"\n") + kCopyOnTwoTiles;
  EXPECT_THAT(configErrorOf([&] { prepare(configOf(text)); }),
              HasSubstr("test.toml:1: machin: wanted machine"));
}

TEST(Prepare, WantsAWorkload) {
  EXPECT_THAT(configErrorOf([] { prepare(configOf("machine = \"toy\"\n")); }),
              HasSubstr("workload: wanted a table, found nothing"));
}

}  // namespace
}  // namespace ipusim::run
