// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/studies/calibrate/calibration.h"

namespace ipusim::calibrate {

/// Predicts a row with `values` of the constants, in their order. Throws ConfigError when the row
/// has no value there.
using Predict = std::function<double(std::size_t row, const std::vector<double>& values)>;

/// Predicts the rows of a calibration by their runs. Every run is made once per set of values.
/// Whole constants are rounded. `calibration` must outlive the result.
Predict predictionsOf(const Calibration& calibration);

}  // namespace ipusim::calibrate
