// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files/read_file.h"

namespace ipusim::energy {
namespace {

using testing::HasSubstr;

/// The shipped file with overrides, read without what a calibration found.
Constants readWith(const std::vector<std::string>& overrides) {
  return readPriors(ConfigReader::fromFile("configs/energy/gc200.toml", parseOverrides(overrides)));
}

std::string messageOf(const std::vector<std::string>& overrides) {
  try {
    readWith(overrides);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Constants, NameTheirSourceAndHoldTheirMedian) {
  for (const Constant constant : allConstants()) {
    const Band& band = shippedConstants().of(constant);
    EXPECT_FALSE(band.source.empty()) << keyOf(constant);
    EXPECT_LE(band.low, band.median) << keyOf(constant);
    EXPECT_LE(band.median, band.high) << keyOf(constant);
  }
}

TEST(Constants, AMisspeltKeyIsAnError) {
  EXPECT_THAT(messageOf({"clok_picojoules.median=1"}), HasSubstr("clok_picojoules"));
  EXPECT_THAT(messageOf({"lanes.meadian=1"}), HasSubstr("lanes.meadian"));
}

TEST(Constants, AMedianOutsideItsBandIsAnError) {
  EXPECT_THAT(messageOf({"lanes.median=1000"}), HasSubstr("lanes.high: wanted"));
  EXPECT_THAT(messageOf({"lanes.median=1"}), HasSubstr("lanes.median: wanted"));
}

TEST(Constants, ACorrelationNamesAConstantAboveItsOwn) {
  EXPECT_THAT(messageOf({"clock_picojoules.correlations={lanes=0.5}"}),
              HasSubstr("a constant above this one"));
  const Constants constants = readWith({"clock_picojoules.correlations={leakage_watts=-0.5}"});
  ASSERT_EQ(constants.correlations.size(), 1U);
  EXPECT_EQ(constants.correlations.front().value, -0.5);
}

}  // namespace
}  // namespace ipusim::energy
