// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/studies/calibrate/calibration.h"
#include "sim/studies/calibrate/predictions.h"

namespace ipusim::calibrate {

/// Constants that meet rows best.
struct Fit {
  std::vector<double> values;           ///< of the constants, in their order
  std::vector<double> relative_errors;  ///< their standard errors over their values
  std::vector<std::vector<double>> correlations;
};

/// Minimises the sum over `rows` of Huber(ln(predicted / published) / error) within the bounds, in
/// the logarithms of the constants, from their starts (Ceres, Levenberg-Marquardt).
///
/// Covariance: that of the weighted least squares problem at the solution, times chi^2 / (rows -
/// constants) where that is more than 1: rows that disagree by more than their errors widen it.
/// Nothing where the rows do not tell all constants apart.
std::optional<Fit> fit(const Calibration& calibration, const Predict& predict,
                       const std::vector<std::size_t>& rows);

/// What a row says at some constants, and at those that the other rows alone give.
struct RowFit {
  double before = 0;               ///< predicted at the starts
  double after = 0;                ///< predicted at the fitted values
  std::optional<double> left_out;  ///< nothing where a constant is known from this row only
};

/// All that a calibration gives.
struct CalibrationResult {
  Fit fit;
  std::vector<RowFit> rows;
};

/// Throws ConfigError where the rows do not tell the constants apart. Values are rounded to six
/// digits, whole constants to whole numbers.
CalibrationResult calibrate(const Calibration& calibration);

}  // namespace ipusim::calibrate
