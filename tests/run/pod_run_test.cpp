// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/report/json.h"
#include "sim/report/text/table.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/compile_cache.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_pod.h"

// Run configs whose machine is a system of several IPUs.

namespace ipusim::run {
namespace {

using models::toyPodTable;
using testing::HasSubstr;
using testing::Not;

ConfigReader podConfigOf(const std::string& machine, const std::string& rest) {
  return ConfigReader::fromText("machine = " + machine + '\n' + rest, "test.toml");
}

constexpr const char* kPodRunMatmul =
    "[workload]\nkind = \"matmul\"\nm = 24\nk = 40\nn = 32\ntype = \"float\"\n";

/// One block of `bytes` from a tile to another.
std::string latency(std::uint32_t from, std::uint32_t to, std::uint32_t bytes = 400) {
  return fmt::format("[workload]\nkind = \"exchange_latency\"\nfrom = {}\nto = {}\nbytes = {}\n",
                     from, to, bytes);
}

TEST(PodRun, ComputesAProductOverAllItsIpus) {
  for (const std::uint32_t ipus : {2U, 4U}) {
    const NumberCheck check = checkNumbers(prepare(podConfigOf(toyPodTable(ipus), kPodRunMatmul)),
                                           {executor::Checking::Strict, 1});
    EXPECT_TRUE(check.found.ok) << ipus << " IPUs: " << check.found.relative;
  }
}

TEST(PodRun, SaysThatOneProgramIsSpreadOverAllIpus) {
  const auto warnings = [](const std::string& machine, const std::string& workload) {
    return simulate(podConfigOf(machine, workload), Engine::ClosedForm).warnings;
  };
  EXPECT_THAT(warnings(toyPodTable(4), kPodRunMatmul),
              testing::ElementsAre(HasSubstr("is spread over the tiles of all")));
  EXPECT_THAT(warnings(toyPodTable(4), latency(1, 5)), testing::IsEmpty());
  EXPECT_THAT(warnings("\"toy\"", kPodRunMatmul), testing::IsEmpty());
}

TEST(PodRun, BothEnginesAndAllChipsGiveOneResult) {
  const Experiment experiment = prepare(podConfigOf(toyPodTable(4), kPodRunMatmul));
  const auto json = [&](Engine engine, SimulatedChips chips) {
    SimulateOptions options;
    options.chips = chips;
    auto result = report::toJson(simulate(experiment, engine, options));
    result.erase("engine");
    return result;
  };
  const auto closed_form = json(Engine::ClosedForm, SimulatedChips::Distinct);
  EXPECT_EQ(closed_form, json(Engine::SystemC, SimulatedChips::Distinct));
  EXPECT_EQ(closed_form, json(Engine::SystemC, SimulatedChips::Every));
  EXPECT_EQ(closed_form, json(Engine::ClosedForm, SimulatedChips::Every));
}

TEST(PodRun, HasTheSpreadOfLinksInItsBand) {
  const RunResult result = simulate(podConfigOf(toyPodTable(4), kPodRunMatmul), Engine::ClosedForm);
  const Uncertainty& band = result.uncertainty;
  const double compute = static_cast<double>(result.time.compute.value()) /
                         static_cast<double>(result.time.cycles.value());
  ASSERT_TRUE(band.links_share.has_value());
  EXPECT_DOUBLE_EQ(*band.links_share, 1 - compute);
  EXPECT_GT(band.links_spread, band.spread);
  EXPECT_NEAR(std::log(band.high_seconds / band.low_seconds) / 2,
              std::hypot(compute * band.spread, (1 - compute) * band.links_spread), 1e-12);
  const auto json = report::toJson(result)["uncertainty"];
  EXPECT_DOUBLE_EQ(json["links_share"], *band.links_share);
  EXPECT_DOUBLE_EQ(json["links_spread_percent"], 100 * band.links_spread);
}

TEST(PodRun, SaysWhatEachIpuDoesAndWhichLinksAreBusy) {
  // Tile 1 of IPU 0 sends 400 B to tile 1 of IPU 1, as 7 packets: 428 B over 4 links.
  const RunResult result = simulate(podConfigOf(toyPodTable(4), latency(1, 5)), Engine::ClosedForm);
  ASSERT_TRUE(result.system.has_value());
  const SystemResult& system = *result.system;
  EXPECT_EQ(system.tiles_per_ipu, 4U);
  ASSERT_EQ(system.ipus.size(), 4U);
  EXPECT_EQ(system.ipus[0].links, Cycles(50 + 107));
  EXPECT_EQ(system.ipus[3].links, Cycles(50 + 107));
  ASSERT_EQ(system.links.size(), 1U);
  EXPECT_EQ(system.links[0].from, 0U);
  EXPECT_EQ(system.links[0].to, 1U);
  EXPECT_EQ(system.links[0].bytes, Bytes(428));
  EXPECT_EQ(system.links[0].busy, Cycles(107));
  EXPECT_EQ(result.time.cycles,
            result.time.compute + result.time.exchange + result.time.links + result.time.sync);
  EXPECT_EQ(result.machine.name, "m2000");
  EXPECT_EQ(result.machine.tiles, 16U);
  const std::string table = report::tableText(result);
  EXPECT_THAT(table, HasSubstr("IPU 0 to 1"));
  EXPECT_THAT(table, HasSubstr("links to other IPUs"));
}

TEST(PodRun, StaysOnAnIpuWhereItsTilesDo) {
  const RunResult result = simulate(podConfigOf(toyPodTable(2), latency(5, 7)), Engine::ClosedForm);
  EXPECT_TRUE(result.system->links.empty());
  const RunResult alone = simulate(podConfigOf("\"toy\"", latency(1, 3)), Engine::ClosedForm);
  EXPECT_EQ(result.time.cycles, alone.time.cycles);
  EXPECT_FALSE(alone.system.has_value());
}

// A system of one IPU is that IPU. The results differ in nothing but the config and the share that
// the IPU has of the machine around it, which takes energy.
TEST(PodRun, WithOneIpuIsARunOfTheIpu) {
  const auto json = [](const std::string& machine) {
    auto result = report::toJson(simulate(podConfigOf(machine, kPodRunMatmul), Engine::ClosedForm));
    result.erase("config");
    EXPECT_EQ(result["energy"]["by_part"].contains("platform_joules"), machine != "\"gc200\"");
    result.erase("energy");
    for (auto& step : result["steps"]) step.erase("joules");
    return result;
  };
  EXPECT_EQ(json("{base = \"m2000\", ipus = 1}"), json("\"gc200\""));
}

TEST(PodRun, NamesTheIpuWhoseTileIsTooFull) {
  const RunResult result =
      simulate(podConfigOf(toyPodTable(2), latency(0, 6, 70'000)), Engine::ClosedForm);
  ASSERT_FALSE(result.fits());
  EXPECT_THAT(report::tableText(result), HasSubstr("of IPU "));
}

TEST(PodRun, RefusesAGpuBesideSeveralIpus) {
  const std::string text = std::string(kPodRunMatmul) + "[compare]\ngpu = \"a30\"\n";
  const std::string error = configErrorOf([&] { prepare(podConfigOf("\"m2000\"", text)); });
  EXPECT_THAT(error, HasSubstr("compare: wanted no such table: a GPU beside several IPUs is not "
                               "modelled"));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

TEST(PodRun, RefusesAnOddLadder) {
  EXPECT_THAT(
      configErrorOf([&] { prepare(podConfigOf("{base = \"pod16\", ipus = 3}", kPodRunMatmul)); }),
      HasSubstr("machine.ipus: wanted 1 or an even number"));
}

TEST(PodRun, IsNotTakenFromTheCacheOfAnotherSystem) {
  CompileCache cache;
  const auto cycles = [&](const std::string& machine) {
    return simulate(cache.prepare(podConfigOf(machine, latency(1, 5))), Engine::ClosedForm)
        .time.cycles;
  };
  const Cycles of_two = cycles(toyPodTable(2));
  EXPECT_EQ(cycles(toyPodTable(2)), of_two);
  EXPECT_GT(cycles(toyPodTable(4)), of_two);  // the sync has one more hop
  EXPECT_EQ(cycles(toyPodTable(2)), of_two);
}

}  // namespace
}  // namespace ipusim::run
