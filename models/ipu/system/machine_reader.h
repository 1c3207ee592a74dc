// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/config_reader.h"
#include "ipusim/machine.h"

namespace ipusim {

/// The machine a config names: a preset's name, a path, or a table `{base = "gc200", tiles = 100}`
/// whose other keys replace those of the base. `config` is the root table, read at `key`.
Machine readMachine(const ConfigReader& config, std::string_view key = "machine");

/// A preset that is open already.
Machine readPreset(const ConfigReader& preset);

}  // namespace ipusim
