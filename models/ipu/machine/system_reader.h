// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "models/ipu/machine/system.h"

namespace ipusim {

/// Reads the preset of a system that `key` of a config names, or the table on top of one. Throws
/// ConfigError.
System readSystemPreset(const ConfigReader& config, std::string_view key);

}  // namespace ipusim
