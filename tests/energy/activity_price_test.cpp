// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/ipu/energy/price.h"
#include "models/ipu/energy/quantile.h"
#include "tests/support/toy_machine.h"

namespace ipusim::energy {
namespace {

using models::gc200Sdk;

constexpr double kPico = 1e-12;

/// Values that are easy to multiply. Die and tile are those of the shares of the GC200.
Values handValues() {
  Values values;
  values.of_constant.fill(1);
  values[Constant::LeakageWatts] = 6;
  values[Constant::DieCelsius] = 20;
  values[Constant::ClockPicojoules] = 20;
  values[Constant::IssuePicojoules] = 15;
  values[Constant::HalfMacPicojoules] = 0.5;
  values[Constant::FloatMacPicojoules] = 2;
  values[Constant::FlopPicojoules] = 0.75;
  values[Constant::SramPicojoulesPerByte] = 1.25;
  values[Constant::WirePicojoulesPerBitMm] = 0.0625;
  values[Constant::SyncPicojoules] = 40;
  values[Constant::SramShare] = 0.5;
  values[Constant::ProcessorShare] = 0.25;
  values[Constant::AmpShare] = 0.5;
  values[Constant::Lanes] = 100;
  values[Constant::LaneMm2] = 0.5;
  values[Constant::OtherMm2] = 15;
  return values;
}

double joulesOf(const Activity& activity, double seconds) {
  const EnergyByPart prices = pricesOf({gc200Sdk()}, handValues());
  const Counts counts = countsOf(activity, seconds, gc200Sdk());
  double joules = 0;
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) joules += prices[p] * counts[p];
  return joules;
}

// C[4, 4] = A[4, 16] B[16, 4] in half on one tile, as AMP computes it.
TEST(PriceEnergy, OfASmallProductIsAddedUpByHand) {
  Activity product;
  product.half_macs = 4 * 4 * 16;
  product.loaded_bytes = Bytes(2 * (4 * 16 + 16 * 4));
  product.stored_bytes = Bytes(2 * 4 * 4);
  product.bundles = 60;
  product.tile_syncs = 1472;
  product.tile_cycles = Cycles(1472 * 100);
  const double seconds = 100 / 1.33e9;
  const double by_hand = 6 * seconds +                // leakage at 20 degrees, all of 823 mm2
                         1472 * 100 * 20 * kPico +    // clock, idle tiles too
                         60 * 15 * kPico +            // bundles
                         256 * 0.5 * kPico +          // multiply-adds
                         (256 + 32) * 1.25 * kPico +  // bytes
                         1472 * 40 * kPico;           // one sync of all tiles
  EXPECT_NEAR(joulesOf(product, seconds), by_hand, 1e-9 * by_hand);
}

// One tile sends 10 words to two tiles. It stands in the third row from the spine, and they in the
// first and in the fifth.
TEST(PriceEnergy, OfAnExchangeIsAddedUpByHand) {
  Activity exchange;
  exchange.sent_words = 10;
  exchange.received_words = 20;
  exchange.column_word_rows = 10 * 3 + 10 * 1 + 10 * 5;
  exchange.spine_words = 10;
  // 64 columns of 23 rows stand on both sides of the spine, so that it is 32 tiles long.
  const double tile_mm = std::sqrt(823 * 0.75 / 1536);
  const double wire = (90 + 10 * 32) * tile_mm * 32 * 0.0625 * kPico;
  const double sram = (10 + 20) * 4 * 1.25 * kPico;
  EXPECT_NEAR(joulesOf(exchange, 0), wire + sram, 1e-9 * wire);
}

TEST(PriceEnergy, ABroadcastCostsLessThanItsUnicasts) {
  Activity broadcast;
  broadcast.sent_words = broadcast.spine_words = 10;
  broadcast.received_words = 40;
  broadcast.column_word_rows = 10 * 3 + 40 * 5;
  Activity unicasts = broadcast;
  unicasts.sent_words = unicasts.spine_words = 40;
  unicasts.column_word_rows = 40 * 3 + 40 * 5;
  EXPECT_LT(joulesOf(broadcast, 0), joulesOf(unicasts, 0));
}

TEST(PriceEnergy, NoActivityCostsIdlePowerTimesTime) {
  Activity idle;
  idle.tile_cycles = Cycles(1472 * std::uint64_t{1'330'000});
  EXPECT_NEAR(joulesOf(idle, 1e-3), 1e-3 * (6 + 1472 * 1.33e9 * 20 * kPico), 1e-9);
}

TEST(PriceEnergy, TwiceTheWorkAtOneClockNeverCostsLess) {
  Activity work;
  work.half_macs = 1'000'000;
  work.loaded_bytes = Bytes(400'000);
  work.bundles = 20'000;
  work.tile_cycles = Cycles(1472 * 1000);
  const Activity twice = work * 2;
  const EnergyResult one = priceEnergy(work, 1e-6, gc200Sdk());
  const EnergyResult two = priceEnergy(twice, 2e-6, gc200Sdk());
  for (std::size_t d = 0; d < one.draws.size(); ++d) EXPECT_GT(two.draws[d], one.draws[d]);
}

/// What every tile of a GC200 does in a cycle, and its energy over a second in all draws.
struct Rates {
  double half_macs = 0;
  double float_macs = 0;
  double bytes = 0;
  double bundles = 0;
  double exchange = 0;  ///< share of the cycles in which a word leaves a tile and one comes in
};

std::vector<double> wattsOf(const Rates& rates, const Machine& machine) {
  constexpr double kCycles = 1.33e6;  // a millisecond, so that counts stay small
  const auto count = [&](double rate) {
    return static_cast<std::uint64_t>(std::llround(rate * kCycles * machine.tiles));
  };
  Activity activity;
  activity.tile_cycles = Cycles(count(1));
  activity.half_macs = count(rates.half_macs);
  activity.float_macs = count(rates.float_macs);
  activity.loaded_bytes = Bytes(count(rates.bytes));
  activity.bundles = count(rates.bundles);
  activity.sent_words = activity.received_words = activity.spine_words = count(rates.exchange);
  activity.column_word_rows = count(rates.exchange * 23);  // half of a column at both ends
  std::vector<double> watts = priceEnergy(activity, 1e-3, machine).draws;
  for (double& one : watts) one /= 1e-3;
  return watts;
}

std::vector<double> quotient(const std::vector<double>& above, const std::vector<double>& below,
                             double factor) {
  std::vector<double> quotients;
  for (std::size_t d = 0; d < above.size(); ++d) {
    quotients.push_back(factor * above[d] / below[d]);
  }
  return quotients;
}

/// The median and the bounds lie within the interval of a Monte Carlo study over the same priors.
/// 64 draws are few for its ends, and its temperatures were fixed: they may differ by a third of
/// the interval.
void expectInterval(const std::vector<double>& ratios, double low, double median, double high) {
  EXPECT_GT(quantileOf(ratios, 0.5), low);
  EXPECT_LT(quantileOf(ratios, 0.5), high);
  EXPECT_NEAR(quantileOf(ratios, 0.5), median, 0.06 * median);
  EXPECT_GT(quantileOf(ratios, kLowShare), low - (high - low) / 3);
  EXPECT_LT(quantileOf(ratios, kHighShare), high + (high - low) / 3);
}

Machine withAmp(std::uint32_t units) {
  Machine machine = gc200Sdk();
  machine.conv_units.half_half = units;
  return machine;
}

TEST(Ratios, AWiderAmpTakesLessForAMultiplyAdd) {
  const std::vector<double> usual = wattsOf({64, 0, 24, 1, 0}, gc200Sdk());
  expectInterval(quotient(wattsOf({128, 0, 24, 1, 0}, withAmp(32)), usual, 0.5), 0.60, 0.65, 0.72);
  expectInterval(quotient(wattsOf({32, 0, 24, 1, 0}, withAmp(8)), usual, 2), 1.56, 1.69, 1.81);
}

TEST(Ratios, FloatAtFullRateDrawsAboutAsMuchAsHalf) {
  expectInterval(
      quotient(wattsOf({0, 16, 24, 1, 0}, gc200Sdk()), wattsOf({64, 0, 24, 1, 0}, gc200Sdk()), 1),
      0.74, 0.91, 1.09);
}

TEST(Ratios, MoreExchangeDrawsMore) {
  // Of the other cycles 10 % are sync, and the rest compute as a typical load.
  const auto load = [](double exchange) {
    const double compute = 0.9 - exchange;
    return wattsOf({64 * 0.4 * compute, 0, 16 * compute, 0.85 * compute, exchange}, gc200Sdk());
  };
  expectInterval(quotient(load(0.5), load(0.2), 1), 0.99, 1.15, 1.38);
}

TEST(Ratios, HalfTheWorkSavesTheDynamicHalf) {
  const std::vector<double> full = wattsOf({64, 0, 24, 1, 0}, gc200Sdk());
  const std::vector<double> half = wattsOf({32, 0, 12, 0.5, 0}, gc200Sdk());
  expectInterval(quotient(half, full, 1), 0.60, 0.63, 0.67);
}

}  // namespace
}  // namespace ipusim::energy
