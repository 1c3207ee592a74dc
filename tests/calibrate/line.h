// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/studies/calibrate/fit.h"

namespace ipusim::calibrate {

/// A row with the id "R" and its number.
inline FitRow row(std::size_t number, double published, double error_percent = 3) {
  FitRow row;
  row.measurement.id = "R" + std::to_string(number);
  row.measurement.value = published;
  row.measurement.unit = "x";
  row.error_percent = error_percent;
  return row;
}

inline FreeConstant constant(const std::string& key, double start, double low, double high) {
  return {key, start, low, high, false, "s", "a \"source\""};
}

/// Two constants, a + b x at x = 1, 2, 4: 5, 8 and 14 for a = 2, b = 3.
inline Calibration line() {
  Calibration calibration;
  calibration.constants = {constant("a", 1, 0.01, 100), constant("b", 1, 0.01, 100)};
  calibration.rows = {row(0, 5), row(1, 8), row(2, 14)};
  return calibration;
}

inline double lineAt(std::size_t row, const std::vector<double>& values) {
  const std::vector<double> x = {1, 2, 4};
  return values[0] + values[1] * x[row];
}

}  // namespace ipusim::calibrate
