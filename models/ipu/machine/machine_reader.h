// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/config/config_reader.h"
#include "ipusim/machine.h"

namespace ipusim {

/// The machine that a config names: a preset by name or path, or a table `{base = "gc200", tiles =
/// 100}` whose other keys replace those of the base. `config` is the root table, which is read at
/// `key`.
Machine readMachine(const ConfigReader& config, std::string_view key = "machine");

/// Reads a preset that has been parsed.
Machine readPreset(const ConfigReader& preset);

}  // namespace ipusim
