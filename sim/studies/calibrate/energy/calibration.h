// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/calibrate/energy/load.h"
#include "sim/studies/validate/measurement.h"

namespace ipusim::calibrate {

/// A published power, or the quotient of two.
struct PowerRow {
  std::string id;
  validate::Role role = validate::Role::Validate;
  double published = 0;
  std::size_t load = 0;             ///< index into the loads
  std::optional<std::size_t> over;  ///< the load that divides it
  std::optional<double> error;      ///< standard error of a row that counts, as a share
};

/// A power that no draw should pass. A draw beyond it counts less with its distance.
struct PowerLimit {
  std::size_t load = 0;
  double least_watts = 0;
  double most_watts = 0;
  double softness = 0;  ///< the share of a limit that counts as one standard error
};

/// A calibration of the constants of energy.
struct EnergyCalibration {
  std::filesystem::path fragment;  ///< the TOML file of the result
  energy::Constants priors;
  energy::Band card_watts;
  std::vector<PowerLoad> loads;
  std::vector<PowerRow> rows;
  std::vector<PowerLimit> limits;
  std::uint64_t draws = 0;
  std::uint64_t seed = 0;
};

/// Whether a calibration file is one of energy: its target is "energy".
bool isOfEnergy(const ConfigReader& config);

/// Reads a file such as configs/calibrations/energy.toml. Only rows with the role calibrate have an
/// error and count. Throws ConfigError.
EnergyCalibration readEnergyCalibration(const ConfigReader& config);

}  // namespace ipusim::calibrate
