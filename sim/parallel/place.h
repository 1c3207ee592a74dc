// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "base/config/config_reader.h"
#include "models/ipu/machine/system.h"

namespace ipusim::parallel {

/// Where something runs: on the IPUs of a system, or on the tiles of one chip.
using Place = std::variant<System, Machine>;

/// Reads `machine`: a preset of configs/systems or configs/machines, or a table on top of one.
/// Throws ConfigError of one line, with its place.
Place readPlace(const ConfigReader& config);

/// The number of IPUs or tiles.
std::uint32_t devicesOf(const Place& place);

/// The name of the system or machine.
const std::string& nameOf(const Place& place);

}  // namespace ipusim::parallel
