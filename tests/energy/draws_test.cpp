// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models/ipu/energy/quantile.h"

namespace ipusim::energy {
namespace {

Band bandOf(double low, double median, double high, Shape shape) {
  Band band;
  band.low = low;
  band.median = median;
  band.high = high;
  band.shape = shape;
  return band;
}

Constants equalConstants() {
  Constants constants;
  constants.bands.fill(bandOf(-1.6448536269514722, 0, 1.6448536269514722, Shape::Normal));
  return constants;
}

std::vector<double> valuesOf(const std::vector<Values>& draws, Constant constant) {
  std::vector<double> values;
  for (const Values& draw : draws) values.push_back(draw[constant]);
  return values;
}

double correlationOf(const std::vector<double>& one, const std::vector<double>& other) {
  double product = 0;
  double squares = 0;
  double others = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    product += one[i] * other[i];
    squares += one[i] * one[i];
    others += other[i] * other[i];
  }
  return product / std::sqrt(squares * others);
}

TEST(NormalScore, HasThePublishedQuantiles) {
  EXPECT_NEAR(normalScore(0.5), 0, 1e-12);
  EXPECT_NEAR(normalScore(0.95), 1.6448536269514722, 1e-12);
  EXPECT_NEAR(normalScore(0.001), -3.0902323061678132, 1e-11);
}

TEST(ValueAt, MeetsTheQuantilesOfTheBand) {
  const double end = normalScore(0.95);
  const Band band = bandOf(2, 6, 13, Shape::Lognormal);
  EXPECT_NEAR(valueAt(band, -end), 2, 1e-12);
  EXPECT_EQ(valueAt(band, 0), 6);
  EXPECT_NEAR(valueAt(band, end), 13, 1e-12);
  // Half of the way in logarithms, and half of the way.
  EXPECT_NEAR(valueAt(band, end / 2), std::sqrt(6.0 * 13.0), 1e-12);
  EXPECT_NEAR(valueAt(bandOf(2, 6, 13, Shape::Normal), end / 2), 9.5, 1e-12);
}

TEST(Draws, MirrorEachOtherInPairs) {
  const std::vector<Values> draws = drawsOf(equalConstants(), 64);
  for (const Constant constant : allConstants()) {
    for (std::size_t d = 0; d < draws.size(); d += 2) {
      EXPECT_NEAR(draws[d][constant], -draws[d + 1][constant], 1e-8);
    }
  }
}

TEST(Draws, HaveNothingInCommonByChance) {
  const std::vector<Values> draws = drawsOf(equalConstants(), 64);
  for (const Constant one : allConstants()) {
    for (const Constant other : allConstants()) {
      const double wanted = one == other ? 1 : 0;
      EXPECT_NEAR(correlationOf(valuesOf(draws, one), valuesOf(draws, other)), wanted, 1e-6);
    }
  }
}

TEST(Draws, HaveTheQuantilesOfTheirBand) {
  const std::vector<Values> draws = drawsOf(equalConstants(), 64);
  const double end = normalScore(0.95);
  for (const Constant constant : allConstants()) {
    EXPECT_NEAR(quantileOf(valuesOf(draws, constant), 0.5), 0, 1e-8);
    EXPECT_NEAR(quantileOf(valuesOf(draws, constant), 0.95), end, 0.25) << keyOf(constant);
  }
}

TEST(Draws, AreTheSameEachTime) {
  const std::vector<Values> once = drawsOf(equalConstants(), 64);
  const std::vector<Values> again = drawsOf(equalConstants(), 64);
  for (std::size_t d = 0; d < once.size(); ++d) {
    EXPECT_EQ(once[d].of_constant, again[d].of_constant);
  }
}

TEST(Draws, CorrelatedConstantsMoveTogether) {
  Constants constants = equalConstants();
  constants.correlations.push_back({Constant::ClockPicojoules, Constant::LeakageWatts, -0.8});
  const std::vector<Values> draws = drawsOf(constants, 64);
  EXPECT_NEAR(correlationOf(valuesOf(draws, Constant::ClockPicojoules),
                            valuesOf(draws, Constant::LeakageWatts)),
              -0.8, 1e-6);
}

TEST(Draws, ShippedOnesHaveTheMediansOfTheConstants) {
  for (const Constant constant : allConstants()) {
    const Band& band = shippedConstants().of(constant);
    const double median = quantileOf(valuesOf(shippedDraws(), constant), 0.5);
    EXPECT_NEAR(median, band.median, 0.03 * (band.high - band.low)) << keyOf(constant);
  }
}

TEST(Quantile, LiesBetweenNeighbours) {
  EXPECT_EQ(quantileOf({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantileOf({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_EQ(quantileOf({7}, 0.95), 7);
}

}  // namespace
}  // namespace ipusim::energy
