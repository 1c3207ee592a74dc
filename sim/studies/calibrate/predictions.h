// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/studies/calibrate/calibration.h"

namespace ipusim::calibrate {

/// What the model says of a row at values of the constants, in their order. Throws ConfigError
/// where the row has no value there.
using Predict = std::function<double(std::size_t row, const std::vector<double>& values)>;

/// Predicts the rows of a calibration by their runs. Every run is made once for each set of values;
/// whole constants are rounded. Valid as long as `calibration`.
Predict predictionsOf(const Calibration& calibration);

}  // namespace ipusim::calibrate
