// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"

namespace ipusim {

/// What to tell of the machine that `key` of a config names, one line each: that its preset has
/// another name now, and that its tiles have other memory but the region for code of the old one.
/// Nothing for a system.
std::vector<std::string> machineNotes(const ConfigReader& config, std::string_view key = "machine");

}  // namespace ipusim
