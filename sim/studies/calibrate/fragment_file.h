// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/config/config_reader.h"

namespace ipusim::calibrate {

/// The file of the fitted constants, which `fragment` of a calibration names. The checks protect
/// files of others: a calibration overwrites this one, whatever config names it. Throws
/// ConfigError.
std::filesystem::path fragmentOf(const ConfigReader& config);

}  // namespace ipusim::calibrate
