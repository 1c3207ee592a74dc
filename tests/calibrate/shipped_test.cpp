// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "sim/studies/calibrate/fit.h"
#include "sim/studies/calibrate/report.h"

// The shipped constants are what `ipusim calibrate` makes of the shipped rows.

namespace ipusim::calibrate {
namespace {

constexpr int kSeeds = 20;
constexpr double kPerturbation = 0.3;
constexpr double kReturn = 0.01;

Calibration shipped(const std::string& name) {
  return readCalibration(
      ConfigReader::fromFile(findConfigFile("configs/calibrations/" + name + ".toml", {})));
}

/// Leaves out the rows that take seconds, and the constants that need them.
Calibration quickGc200() {
  Calibration calibration = shipped("gc200");
  const auto keep = [](auto& items, const auto& is) {
    items.erase(std::remove_if(items.begin(), items.end(), std::not_fn(is)), items.end());
  };
  keep(calibration.rows,
       [](const FitRow& row) { return row.measurement.id.rfind("TES-", 0) == 0; });
  keep(calibration.constants,
       [](const FreeConstant& constant) { return constant.key == "cycle_counter_cycles"; });
  return calibration;
}

std::vector<double> shippedValues(const Calibration& calibration) {
  const auto fragment = ConfigReader::fromFile(findConfigFile(calibration.fragment.string(), {}));
  std::vector<double> values;
  for (const FreeConstant& constant : calibration.constants) {
    values.push_back(fragment.table(constant.key).real("value", constant.low, constant.high));
  }
  return values;
}

TEST(ShippedConstants, OfTheA30AreWhatCalibrateWrites) {
  const Calibration calibration = shipped("a30");
  EXPECT_EQ(readConfigText(findConfigFile(calibration.fragment.string(), {})),
            fragmentText(calibration, calibrate(calibration)));
}

TEST(ShippedConstants, OfTheA100AreWhatCalibrateWrites) {
  const Calibration calibration = shipped("a100");
  EXPECT_EQ(readConfigText(findConfigFile(calibration.fragment.string(), {})),
            fragmentText(calibration, calibrate(calibration)));
}

TEST(ShippedConstants, OfTheH200AreWhatCalibrateWrites) {
  const Calibration calibration = shipped("h200");
  EXPECT_EQ(readConfigText(findConfigFile(calibration.fragment.string(), {})),
            fragmentText(calibration, calibrate(calibration)));
}

TEST(ShippedConstants, OfTheA30MeetTheirRowsWithinOnePercent) {
  const Calibration calibration = shipped("a30");
  const CalibrationResult result = calibrate(calibration);
  for (std::size_t r = 0; r < calibration.rows.size(); ++r) {
    const validate::Measurement& row = calibration.rows[r].measurement;
    EXPECT_NEAR(result.rows[r].after / row.value, 1, 0.01) << row.id;
  }
}

/// All constants but the code quality of compiled vertices are fitted again. The code quality is
/// compared with its row.
TEST(ShippedConstants, OfTheGc200AreWhatCalibrateWrites) {
  const Calibration quick = quickGc200();
  EXPECT_EQ(calibrate(quick).fit.values, shippedValues(quick));
  const Calibration all = shipped("gc200");
  const Predict predict = predictionsOf(all);
  for (std::size_t r = 0; r < all.rows.size(); ++r) {
    const validate::Measurement& row = all.rows[r].measurement;
    EXPECT_NEAR(predict(r, shippedValues(all)) / row.value, 1, 0.001) << row.id;
  }
}

void expectReturn(const Calibration& calibration, int seeds) {
  const std::vector<double> values = shippedValues(calibration);
  const Predict predict = predictionsOf(calibration);
  std::vector<std::size_t> rows(calibration.rows.size());
  std::iota(rows.begin(), rows.end(), 0);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> factor(1 - kPerturbation, 1 + kPerturbation);
  for (int seed = 0; seed < seeds; ++seed) {
    Calibration perturbed = calibration;
    for (std::size_t c = 0; c < values.size(); ++c) {
      FreeConstant& constant = perturbed.constants[c];
      constant.start = std::clamp(values[c] * factor(random), constant.low, constant.high);
    }
    const auto found = fit(perturbed, predict, rows);
    ASSERT_TRUE(found.has_value()) << seed;
    for (std::size_t c = 0; c < values.size(); ++c) {
      EXPECT_NEAR(found->values[c] / values[c], 1, kReturn)
          << perturbed.constants[c].key << " from " << perturbed.constants[c].start;
    }
  }
}

TEST(ShippedConstants, OfTheA30AreFoundFromElsewhere) {
  expectReturn(shipped("a30"), kSeeds);
}

TEST(ShippedConstants, OfTheGc200AreFoundFromElsewhere) {
  expectReturn(quickGc200(), kSeeds);
}

/// The rows with the role calibrate are exactly those that a constant is fitted to. Two more rows
/// set the epochs and the host's part of a step, which configs/runs/shl_training_*.toml hold. The
/// others are for the efficiency of links and the fixed time of an exchange, which
/// configs/systems/m2000.toml holds.
TEST(Roles, SayWhatIsFitted) {
  std::set<std::string> fitted = {"SK-T4-Baseline-IPU-T",
                                  "SK-T4-Low-rank-IPU-T",
                                  "H3-02",
                                  "H3-04",
                                  "H3-16",
                                  "F-04",
                                  "BW-12",
                                  "BW-13",
                                  "B-01",
                                  "B-02",
                                  "B-08",
                                  "B-09",
                                  "C-08",
                                  "C-09"};
  for (const char* name : {"a30", "a100", "h200", "gc200"}) {
    for (const FitRow& row : shipped(name).rows) {
      EXPECT_TRUE(fitted.insert(row.measurement.id).second) << row.measurement.id;
    }
  }
  for (const auto& row : validate::readMeasurements(validate::shippedMeasurements())) {
    EXPECT_EQ(row.role == validate::Role::Calibrate, fitted.count(row.id) == 1) << row.id;
  }
}

}  // namespace
}  // namespace ipusim::calibrate
