// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/price.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "models/ipu/energy/area.h"
#include "tests/support/toy_machine.h"

namespace ipusim::energy {
namespace {

using models::gc200Sdk;
using testing::HasSubstr;
using testing::IsEmpty;

/// Round figures: SRAM and processor have the shares of the GC200, and no other constant is 1.
Values roundValues() {
  Values values;
  values.of_constant.fill(2);
  values[Constant::LeakageWatts] = 5;
  values[Constant::DieCelsius] = 48;
  values[Constant::SramShare] = 0.49;
  values[Constant::ProcessorShare] = 0.25;
  values[Constant::AmpShare] = 0.5;
  values[Constant::PathFactor] = 1;
  values[Constant::BowVoltageSquare] = 0.81;
  values[Constant::Lanes] = 100;
  values[Constant::LaneMm2] = 0.5;
  return values;
}

double at(const EnergyByPart& parts, EnergyPart part) {
  return parts[static_cast<std::size_t>(part)];
}

double sumOf(const EnergyByPart& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// Some of everything.
Counts someCounts() {
  Counts counts{};
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p)
    counts[p] = 1e6 * static_cast<double>(p + 1);
  counts[static_cast<std::size_t>(EnergyPart::Leakage)] = 1e-3;
  counts[static_cast<std::size_t>(EnergyPart::Platform)] = 1e-3;
  return counts;
}

TEST(Prices, OfAGc200AreCountedByHand) {
  const EnergyByPart prices = pricesOf({gc200Sdk()}, roundValues());
  // 48 degrees are 28 above 20, so that leakage has doubled once.
  EXPECT_NEAR(at(prices, EnergyPart::Leakage), 10, 1e-9);
  EXPECT_NEAR(at(prices, EnergyPart::Clock), 2e-12, 1e-24);
  EXPECT_NEAR(at(prices, EnergyPart::Sync), 2e-12, 1e-24);
  // 32 bits of 2 pJ a mm, over the side of a tile of 823 * 74 % / 1536 mm2.
  EXPECT_NEAR(at(prices, EnergyPart::Wire), 64e-12 * std::sqrt(823 * 0.74 / 1536), 1e-18);
  EXPECT_EQ(at(prices, EnergyPart::Platform), 0);
}

TEST(Prices, OfBowFollowItsVoltage) {
  Machine bow = gc200Sdk();
  bow.silicon = Silicon::Bow;
  const EnergyByPart prices = pricesOf({bow}, roundValues());
  EXPECT_NEAR(at(prices, EnergyPart::Leakage), 10 * 0.81 * 0.9, 1e-9);
  EXPECT_NEAR(at(prices, EnergyPart::Clock), 2e-12 * 0.81, 1e-24);
  EXPECT_NEAR(at(prices, EnergyPart::Links), 2e-12, 1e-24);
}

TEST(Prices, OfSeveralIpusAddLeakageAndPlatforms) {
  Machine ipu = gc200Sdk();
  ipu.streaming.ipus = 4;
  const EnergyByPart prices = pricesOf({ipu, 8}, roundValues());
  EXPECT_NEAR(at(prices, EnergyPart::Leakage), 80, 1e-9);
  EXPECT_NEAR(at(prices, EnergyPart::Platform), 4, 1e-12);  // two machines of 2 W
}

TEST(Prices, ALargerDieLeaksMore) {
  Machine large = gc200Sdk();
  large.tiles *= 2;
  const Values values = roundValues();
  const double ratio = dieAreaOf(large, values).total() / 823;
  EXPECT_NEAR(at(pricesOf({large}, values), EnergyPart::Leakage), 10 * ratio, 1e-9);
}

TEST(PriceList, PartsAddUpToTheJoules) {
  const EnergyResult result = PriceList({gc200Sdk()}).price(someCounts());
  EXPECT_NEAR(sumOf(result.by_part), result.joules, 1e-12 * result.joules);
  EXPECT_LT(result.low_joules, result.joules);
  EXPECT_LT(result.joules, result.high_joules);
}

TEST(PriceList, StepsOfARunAddUpToTheRun) {
  const PriceList prices({gc200Sdk()});
  const Counts run = someCounts();
  const EnergyResult whole = prices.price(run);
  Counts first = run;
  Counts second = run;
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) {
    first[p] = run[p] / static_cast<double>(p + 2);
    second[p] = run[p] - first[p];
  }
  EXPECT_NEAR(
      sumOf(prices.priceWithin(first, run, whole)) + sumOf(prices.priceWithin(second, run, whole)),
      whole.joules, 1e-12 * whole.joules);
}

TEST(PriceList, EveryDrawIsAdditive) {
  const PriceList prices({gc200Sdk()});
  const Counts run = someCounts();
  Counts twice = run;
  for (double& count : twice) count *= 2;
  const EnergyResult one = prices.price(run);
  const EnergyResult two = prices.price(twice);
  for (std::size_t d = 0; d < one.draws.size(); ++d) {
    EXPECT_NEAR(two.draws[d], 2 * one.draws[d], 1e-12 * two.draws[d]);
  }
}

TEST(PriceList, MoreOfAnyCountNeverCostsLess) {
  const PriceList prices({gc200Sdk()});
  const double now = prices.price(someCounts()).joules;
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) {
    Counts more = someCounts();
    more[p] *= 2;
    EXPECT_GE(prices.price(more).joules, now);
  }
}

TEST(PriceList, NothingCostsNothing) {
  EXPECT_EQ(PriceList({gc200Sdk()}).price(Counts{}).joules, 0);
}

TEST(WhyUnpriced, SaysWhichMachinesHaveNoEnergy) {
  EXPECT_THAT(whyUnpriced(readPreset("gc200")), IsEmpty());
  EXPECT_THAT(whyUnpriced(readPreset("bow")), IsEmpty());
  EXPECT_THAT(whyUnpriced(readPreset("c600")), IsEmpty());
  EXPECT_THAT(whyUnpriced(readPreset("gc2")), HasSubstr("not supported for a GC2"));
  EXPECT_THAT(whyUnpriced(models::toyMachine()), HasSubstr("names no silicon"));
}

TEST(ShareBelow, CountsEqualDrawsHalf) {
  EXPECT_EQ(shareBelow({1, 2, 3, 4}, {2, 2, 2, 2}), 0.375);
}

}  // namespace
}  // namespace ipusim::energy
