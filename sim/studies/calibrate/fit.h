// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sim/studies/calibrate/calibration.h"
#include "sim/studies/calibrate/predictions.h"

namespace ipusim::calibrate {

/// The constants that meet the rows best.
struct Fit {
  std::vector<double> values;           ///< values of the constants, in their order
  std::vector<double> relative_errors;  ///< the standard errors of the values, relative to them
  std::vector<std::vector<double>> correlations;
};

/// Minimises the sum over `rows` of Huber(ln(predicted / published) / error) within the bounds. The
/// search moves the logarithms of the constants from their starts (Ceres, Levenberg-Marquardt).
///
/// The covariance is that of the weighted least squares problem at the solution, times chi^2 /
/// (rows - constants) when this factor is more than 1: rows that disagree by more than their errors
/// widen it. Returns nothing when the rows cannot tell all constants apart.
std::optional<Fit> fit(const Calibration& calibration, const Predict& predict,
                       const std::vector<std::size_t>& rows);

/// What a row predicts before and after the fit, and with the constants that the other rows alone
/// give.
struct RowFit {
  double before = 0;               ///< predicted with the starts
  double after = 0;                ///< predicted with the fitted values
  std::optional<double> left_out;  ///< nothing when only this row determines a constant
};

/// The result of a calibration.
struct CalibrationResult {
  Fit fit;
  std::vector<RowFit> rows;
};

/// Throws ConfigError when the rows cannot tell the constants apart. Values are rounded to six
/// digits, and whole constants to whole numbers.
CalibrationResult calibrate(const Calibration& calibration);

}  // namespace ipusim::calibrate
