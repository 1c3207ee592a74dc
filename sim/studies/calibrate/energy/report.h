// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sim/studies/calibrate/energy/fit.h"

// What `ipusim calibrate` prints and writes for energy. The text depends on the calibration alone.

namespace ipusim::calibrate {

/// The constants before and after, with the rows that identify them, then all rows with bands:
/// those that count and those that do not, the ones that are missed included.
std::string tableText(const EnergyCalibration& calibration, const EnergyFit& fit);

/// The TOML file that configs/energy/gc200.toml includes: the constants that rows identify. The
/// others keep their prior.
std::string fragmentText(const EnergyCalibration& calibration, const EnergyFit& fit);

}  // namespace ipusim::calibrate
