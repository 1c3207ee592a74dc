// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ipusim::calibrate {

/// A string of the calibration file, made fit for TOML.
std::string quoted(const std::string& text);

}  // namespace ipusim::calibrate
