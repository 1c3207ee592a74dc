// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/studies/calibrate/fit.h"

// What `ipusim calibrate` prints and writes. The text depends on the calibration alone, not on the
// locale.

namespace ipusim::calibrate {

/// The constants with their standard errors, then the rows: published, before, after, left out.
std::string tableText(const Calibration& calibration, const CalibrationResult& result);

/// The TOML file that a preset includes.
std::string fragmentText(const Calibration& calibration, const CalibrationResult& result);

}  // namespace ipusim::calibrate
