// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "sim/studies/calibrate/energy/calibration.h"

namespace ipusim::calibrate {

/// What the priors give, column by column: one entry per draw.
struct EnergySample {
  std::vector<std::vector<double>> constants;  ///< one column per constant
  std::vector<std::vector<double>> rows;       ///< one column per row; empty without prices
  std::vector<std::vector<double>> limits;     ///< watts, one column per limit
};

/// Independent draws of all constants and assumptions. They depend on the seed alone: the numbers
/// are those of std::mt19937_64, and their mapping is our own.
EnergySample sampleOf(const EnergyCalibration& calibration);

/// The order of a column, smallest first.
std::vector<std::size_t> orderOf(const std::vector<double>& column);

}  // namespace ipusim::calibrate
