// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/calibrate/line.h"

namespace ipusim::calibrate {
namespace {

TEST(Fit, MeetsRowsThatAgree) {
  const Calibration calibration = line();
  const auto found = fit(calibration, lineAt, {0, 1, 2});
  ASSERT_TRUE(found.has_value());
  EXPECT_DOUBLE_EQ(found->values[0], 2);
  EXPECT_DOUBLE_EQ(found->values[1], 3);
}

TEST(Fit, OfOneConstantHasTheErrorOfItsRow) {
  Calibration calibration = line();
  calibration.constants.pop_back();
  const auto scale = [](std::size_t /*row*/, const std::vector<double>& values) {
    return 5 * values[0];
  };
  const auto one = fit(calibration, scale, {0});
  ASSERT_TRUE(one.has_value());
  EXPECT_DOUBLE_EQ(one->values[0], 1);
  EXPECT_NEAR(one->relative_errors[0], 0.03, 1e-6);
  // Two rows that agree know the constant better by the root of two.
  calibration.rows[1] = row(1, 5);
  EXPECT_NEAR(fit(calibration, scale, {0, 1})->relative_errors[0], 0.03 / std::sqrt(2), 1e-6);
}

TEST(Fit, KnowsLessWhereRowsDisagree) {
  Calibration calibration = line();
  const double agreeing = fit(calibration, lineAt, {0, 1, 2})->relative_errors[0];
  calibration.rows[2] = row(2, 15.5);
  EXPECT_GT(fit(calibration, lineAt, {0, 1, 2})->relative_errors[0], 1.2 * agreeing);
}

TEST(Fit, GivesFarRowsLessWeight) {
  Calibration calibration = line();
  calibration.constants.pop_back();
  const auto scale = [](std::size_t /*row*/, const std::vector<double>& values) {
    return values[0];
  };
  calibration.rows = {row(0, 10), row(1, 10), row(2, 20)};
  const double found = fit(calibration, scale, {0, 1, 2})->values[0];
  // The geometric mean is 12.6. The third row pulls with two of its errors of 3 %, over two rows.
  EXPECT_NEAR(found, 10 * std::exp(0.03), 0.01);
}

TEST(Fit, CorrelatesConstantsThatStandInForOneAnother) {
  const auto found = fit(line(), lineAt, {0, 1, 2});
  EXPECT_DOUBLE_EQ(found->correlations[0][0], 1);
  EXPECT_LT(found->correlations[0][1], -0.5);
  EXPECT_DOUBLE_EQ(found->correlations[0][1], found->correlations[1][0]);
}

TEST(Fit, StaysWithinTheBounds) {
  Calibration calibration = line();
  calibration.constants[1].high = 2.5;
  EXPECT_LE(fit(calibration, lineAt, {0, 1, 2})->values[1], 2.5);
}

TEST(Fit, RefusesFewerRowsThanConstants) {
  EXPECT_FALSE(fit(line(), lineAt, {0}).has_value());
}

TEST(Fit, RefusesRowsThatDoNotTellConstantsApart) {
  const auto sum = [](std::size_t /*row*/, const std::vector<double>& values) {
    return values[0] * values[1];
  };
  EXPECT_FALSE(fit(line(), sum, {0, 1, 2}).has_value());
  const auto first = [](std::size_t /*row*/, const std::vector<double>& values) {
    return values[0];
  };
  EXPECT_FALSE(fit(line(), first, {0, 1, 2}).has_value());
}

TEST(Fit, RoundsWholeConstants) {
  Calibration calibration = line();
  calibration.constants.pop_back();
  calibration.constants[0].whole = true;
  const auto rounded = [](std::size_t /*row*/, const std::vector<double>& values) {
    return std::round(values[0]) + 100;
  };
  calibration.rows = {row(0, 127 + 100)};
  calibration.constants[0].start = 90;
  calibration.constants[0].high = 1000;
  EXPECT_DOUBLE_EQ(fit(calibration, rounded, {0})->values[0], 127);
}

}  // namespace
}  // namespace ipusim::calibrate
