// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "models/ipu/cost/products/amp.h"
#include "models/ipu/energy/area.h"
#include "models/ipu/energy/draws.h"
#include "models/ipu/machine/machine_reader.h"
#include "sim/run/simulate.h"
#include "tests/support/toy_machine.h"

// The energy of runs. Runs of the toy machine are priced by hand, term by term and in every draw: a
// chip of the GC200's silicon with four tiles, whose two columns have two rows and a spine as long
// as one tile.

namespace ipusim::run {
namespace {

using energy::Constant;
using energy::Values;
using testing::Each;
using testing::Ge;
using testing::HasSubstr;

constexpr double kPico = 1e-12;
constexpr double kClose = 1e-9;

RunResult runOfEnergy(const std::string& machine, const std::string& workload) {
  const std::string text = "machine = " + machine + "\n[workload]\n" + workload;
  return simulate(ConfigReader::fromText(text, "test.toml"), Engine::ClosedForm);
}

RunResult onSilicon(const std::string& workload) {
  return runOfEnergy(R"({base = "toy", silicon = "gc200"})", workload);
}

RunResult shipped(const std::string& config) {
  return simulate(ConfigReader::fromFile(config), Engine::ClosedForm);
}

RunResult pricedProduct(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  return runOfEnergy(R"("gc200")",
                     fmt::format("kind = \"matmul\"\nm = {}\nk = {}\nn = {}\n", m, k, n));
}

Machine toyOfSilicon() {
  Machine machine = models::toyMachine();
  machine.silicon = Silicon::Gc200;
  return machine;
}

double leakageWatts(const Values& values) {
  return values[Constant::LeakageWatts] * std::exp2((values[Constant::DieCelsius] - 20) / 28) *
         energy::dieAreaOf(toyOfSilicon(), values).total() / 823;
}

/// What passes without any work: leakage, and the clocks of four tiles.
double idleJoules(const Values& values, const TimeResult& time) {
  return leakageWatts(values) * time.seconds +
         4.0 * static_cast<double>(time.cycles.value()) * values[Constant::ClockPicojoules] * kPico;
}

template <typename Hand>
void expectInEveryDraw(const RunResult& result, const Hand& joulesByHand) {
  const std::vector<Values>& draws = energy::shippedDraws();
  ASSERT_EQ(result.energy->draws.size(), draws.size());
  for (std::size_t d = 0; d < draws.size(); ++d) {
    const double by_hand = joulesByHand(draws[d]);
    EXPECT_NEAR(result.energy->draws[d], by_hand, kClose * by_hand) << "draw " << d;
  }
}

double sumOf(const energy::EnergyByPart& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

double partOf(const RunResult& result, energy::EnergyPart part) {
  return result.energy->by_part[static_cast<std::size_t>(part)];
}

TEST(RunEnergy, OfASmallProductIsAddedUpByHand) {
  const RunResult result = onSilicon(
      "kind = \"codelet\"\ncodelet = \"amp\"\ntype = \"half\"\npartials_type = \"float\"\n"
      "field = 5\nin_groups = 2\nout_groups = 3\ntiles = [0, 2]\n");
  const models::Amp1x1Shape shape{{ElementType::Half, ElementType::Float, 8}, 5, 1, 2, 3, 8};
  const auto bundles = static_cast<double>(models::amp1x1Cycles(toyOfSilicon(), shape).value());
  // Two tiles multiply 5 x 32 by 32 x 24. In each of six passes 16 channels of 5 rows and 8 weights
  // are loaded; three of the passes load their partials, and all store them.
  const double loaded = 6 * 16 * (5 + 8) * 2 + 3 * 40 * 4;
  const double stored = 6 * 40 * 4;
  expectInEveryDraw(result, [&](const Values& values) {
    return idleJoules(values, result.time) +
           2 * 5 * 32 * 24 * values[Constant::HalfMacPicojoules] * kPico +
           2 * (loaded + stored) * values[Constant::SramPicojoulesPerByte] * kPico +
           2 * bundles * values[Constant::IssuePicojoules] * kPico;
  });
}

TEST(RunEnergy, OfOneExchangeIsAddedUpByHand) {
  const RunResult result =
      onSilicon("kind = \"exchange_latency\"\nfrom = 0\nto = 3\nbytes = 400\n");
  ASSERT_EQ(result.steps.size(), 2U) << "a sync and an exchange";
  expectInEveryDraw(result, [&](const Values& values) {
    const double pitch_mm = std::sqrt(energy::dieAreaOf(toyOfSilicon(), values).tile.total());
    // 100 words leave tile 0 beside the spine, run along it, and go to the second row.
    const double millimetres = 100 * (1 + 1 + 2) * pitch_mm * values[Constant::PathFactor];
    return idleJoules(values, result.time) + 4 * values[Constant::SyncPicojoules] * kPico +
           (400 + 400) * values[Constant::SramPicojoulesPerByte] * kPico +
           millimetres * 32 * values[Constant::WirePicojoulesPerBitMm] * kPico;
  });
}

TEST(RunEnergy, IsThatOfItsStepsOfItsTilesAndOfItsParts) {
  for (const char* config :
       {"configs/runs/matmul.toml", "configs/runs/network.toml", "configs/runs/pod_all_reduce.toml",
        "configs/runs/shl_training_butterfly.toml", "configs/runs/stream.toml",
        "configs/runs/topology.toml"}) {
    const RunResult result = shipped(config);
    const RunEnergy& energy = *result.energy;
    double steps = 0;
    for (std::size_t s = 0; s < result.steps.size(); ++s) steps += energy.ofStep(s);
    EXPECT_NEAR(steps, energy.joules, kClose * energy.joules) << config;
    const double tiles = std::accumulate(energy.by_tile.begin(), energy.by_tile.end(), 0.0);
    EXPECT_EQ(energy.by_tile.size(), result.tiles.size()) << config;
    EXPECT_NEAR(tiles, energy.joules, kClose * energy.joules) << config;
    EXPECT_NEAR(sumOf(energy.by_part), energy.joules, kClose * energy.joules) << config;
    EXPECT_THAT(energy.by_tile, Each(Ge(0)));
  }
}

TEST(RunEnergy, DoesNotDependOnTheEngine) {
  const auto config = ConfigReader::fromFile("configs/runs/quickstart.toml");
  EXPECT_EQ(simulate(config, Engine::SystemC).energy->draws,
            simulate(config, Engine::ClosedForm).energy->draws);
}

// Also where twice the size has a plan that takes less than twice the time.
TEST(RunEnergy, OfTwiceTheWorkIsNeverLess) {
  std::mt19937 random(20);
  std::uniform_int_distribution<std::uint64_t> size(16, 700);
  for (int run = 0; run < 20; ++run) {
    const std::uint64_t m = size(random);
    const std::uint64_t k = size(random);
    const std::uint64_t n = size(random);
    const RunResult once = pricedProduct(m, k, n);
    const RunResult twice = pricedProduct(2 * m, k, n);
    for (std::size_t d = 0; d < once.energy->draws.size(); ++d) {
      EXPECT_GE(twice.energy->draws[d], once.energy->draws[d]) << m << ' ' << k << ' ' << n;
    }
  }
}

TEST(RunEnergy, OfSeveralIpusHasEachDieAndTheMachinesAround) {
  const RunResult result = shipped("configs/runs/pod_all_reduce.toml");
  const Machine ipu = readPreset("gc200");
  double leakage = 0;
  double platform = 0;
  for (const Values& values : energy::shippedDraws()) {
    leakage += 16 * values[Constant::LeakageWatts] *
               std::exp2((values[Constant::DieCelsius] - 20) / 28) *
               energy::dieAreaOf(ipu, values).total() / 823;
    platform += 4 * values[Constant::PlatformWatts];  // four M2000 of four IPUs
  }
  EXPECT_NEAR(
      partOf(result, energy::EnergyPart::Platform) / partOf(result, energy::EnergyPart::Leakage),
      platform / leakage, kClose * platform / leakage);
  EXPECT_GT(partOf(result, energy::EnergyPart::Links), 0);
}

TEST(RunEnergy, OfASampleIsThatOfTheBatchOverItsSamples) {
  const RunResult result = shipped("configs/runs/linear.toml");
  EXPECT_NEAR(50 * result.energy->per_sample->joules, result.energy->joules,
              kClose * result.energy->joules);
  EXPECT_FALSE(pricedProduct(64, 64, 64).energy->per_sample.has_value());
}

TEST(RunEnergy, OfASampleInTrainingHasTheWaitsForTheHost) {
  const RunResult result =
      simulate(ConfigReader::fromFile("configs/runs/shl_training_butterfly.toml",
                                      {{"workload.steps", "2"},
                                       {"workload.epochs", "3"},
                                       {"workload.host_step_seconds", "1e-3"}}),
               Engine::ClosedForm);
  const double waited = 2 * 3 * 1e-3;
  const Machine& ipu = models::gc200Sdk();
  const std::vector<Values>& draws = energy::shippedDraws();
  for (std::size_t d = 0; d < draws.size(); ++d) {
    const double leakage = draws[d][Constant::LeakageWatts] *
                           std::exp2((draws[d][Constant::DieCelsius] - 20) / 28) *
                           energy::dieAreaOf(ipu, draws[d]).total() / 823;
    const double clocks = ipu.tiles * ipu.clock_hz * draws[d][Constant::ClockPicojoules] * kPico;
    const double by_hand = (result.energy->draws[d] + waited * (leakage + clocks)) / (2 * 3 * 50);
    EXPECT_NEAR(result.energy->per_sample->draws[d], by_hand, kClose * by_hand);
  }
}

TEST(RunEnergy, IsNotSupportedOnAGc2) {
  const RunResult result = runOfEnergy(R"("gc2")", "kind = \"matmul\"\nm = 64\nk = 64\nn = 64\n");
  EXPECT_FALSE(result.energy.has_value());
  EXPECT_FALSE(result.area.has_value());
  EXPECT_THAT(result.unpriced, HasSubstr("not supported for a GC2"));
}

}  // namespace
}  // namespace ipusim::run
