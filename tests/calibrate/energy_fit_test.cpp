// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/studies/calibrate/energy/fit.h"
#include "sim/studies/calibrate/energy/report.h"

// The shipped bands of energy are what `ipusim calibrate` makes of the shipped rows.

namespace ipusim::calibrate {
namespace {

using energy::Constant;
using testing::HasSubstr;
using testing::Not;

struct Shipped {
  EnergyCalibration calibration;
  EnergyFit fit;
};

const Shipped& shipped() {
  static const Shipped kShipped = [] {
    const EnergyCalibration calibration = readEnergyCalibration(
        ConfigReader::fromFile(findConfigFile("configs/calibrations/energy.toml", {})));
    return Shipped{calibration, fitEnergy(calibration)};
  }();
  return kShipped;
}

const FittedBand& bandOf(Constant constant) {
  return shipped().fit.constants[static_cast<std::size_t>(constant)];
}

const PredictedRow& rowOf(const std::string& id) {
  const std::vector<PowerRow>& rows = shipped().calibration.rows;
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&id](const PowerRow& row) { return row.id == id; });
  return shipped().fit.rows.at(static_cast<std::size_t>(found - rows.begin()));
}

bool isInside(const std::string& id, double published) {
  const Quantiles& band = rowOf(id).predicted;
  return band.low <= published && published <= band.high;
}

TEST(EnergyFit, WritesTheShippedFragment) {
  EXPECT_EQ(readConfigText(findConfigFile(shipped().calibration.fragment.string(), {})),
            fragmentText(shipped().calibration, shipped().fit));
}

// The idle row alone: 48.1 W are leakage at 40 degrees Celsius, and the clock of 1472 tiles.
TEST(EnergyFit, ClockAndLeakageMakeTheIdlePower) {
  EXPECT_NEAR(bandOf(Constant::ClockPicojoules).posterior.median, 19.2, 1.9);
  EXPECT_NEAR(bandOf(Constant::LeakageWatts).posterior.median, 6.3, 0.63);
  const double clock = bandOf(Constant::ClockPicojoules).posterior.median * 1e-12 * 1472 * 1.33e9;
  const double leakage =
      bandOf(Constant::LeakageWatts).posterior.median * std::exp2((40.0 - 20) / 28);
  EXPECT_NEAR(clock + leakage, 48.1, 0.05 * 48.1);
}

TEST(EnergyFit, RowsThatCountAreMet) {
  EXPECT_NEAR(rowOf("PW-02").predicted.median / 48.1, 1, 0.01);
  EXPECT_NEAR(rowOf("PW-04").predicted.median / 12.6, 1, 0.05);
  EXPECT_NEAR(rowOf("PW-12").predicted.median / 1000, 1, 0.10);
  EXPECT_NEAR(rowOf("PW-17/PW-18").predicted.median / (1.4 / 1.16), 1, 0.05);
  EXPECT_TRUE(isInside("PW-12", 1000));
}

TEST(EnergyFit, RowsThatDoNotCountAreInsideTheirBandsOrNamedMisses) {
  EXPECT_TRUE(isInside("PW-16", 1250));
  EXPECT_TRUE(isInside("PW-19", 185));
  EXPECT_TRUE(isInside("PW-GC200", 150));
  EXPECT_TRUE(isInside("PW-01", 123.9));
  // Two Bow that are almost idle draw less than the model says.
  EXPECT_FALSE(isInside("PW-08", 92.3));
  EXPECT_GT(rowOf("PW-08").predicted.median, 92.3);
}

TEST(EnergyFit, AGc2IsNotSupported) {
  EXPECT_THAT(rowOf("PW-05").why_not, HasSubstr("not supported for a GC2"));
  EXPECT_THAT(tableText(shipped().calibration, shipped().fit),
              HasSubstr("PW-05         validate        99.5  not supported"));
}

TEST(EnergyFit, WhatNoRowIdentifiesIsRefused) {
  for (const Constant constant : {Constant::HalfMacPicojoules, Constant::FloatMacPicojoules,
                                  Constant::SramPicojoulesPerByte, Constant::IssuePicojoules}) {
    EXPECT_FALSE(bandOf(constant).isIdentified()) << energy::keyOf(constant);
    EXPECT_THAT(fragmentText(shipped().calibration, shipped().fit),
                Not(HasSubstr(std::string("[") + energy::keyOf(constant))));
  }
  EXPECT_TRUE(bandOf(Constant::ClockPicojoules).isIdentified());
  EXPECT_THAT(bandOf(Constant::ClockPicojoules).by, testing::ElementsAre("PW-02", "PW-04"));
}

TEST(EnergyFit, FullAmpStaysBetweenPowerTestAndTdp) {
  const Quantiles& watts = shipped().fit.limits.front();
  EXPECT_GT(watts.low, 124);
  EXPECT_LE(watts.high, 300);
}

}  // namespace
}  // namespace ipusim::calibrate
