// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/config/preset_chain.h"

namespace ipusim {

/// The presets that readMachine reads for `key`, for callers that need single keys of them.
PresetChain machineChain(const ConfigReader& config, std::string_view key = "machine");

}  // namespace ipusim
