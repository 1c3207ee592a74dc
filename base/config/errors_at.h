// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/config/config_reader.h"
#include "base/error_boundary.h"

namespace ipusim {

/// Calls `read` for the file that `key` names, and returns its result. An error in the file is told
/// at the key: "file:line: key: other.toml:3: wanted …".
template <typename Read>
auto withErrorsAt(const ConfigReader& config, std::string_view key, const Read& read) {
  return translateErrors<ConfigError>(read, [&](const ConfigError& error) {
    return ConfigError(config.place(key) + ": " + error.what());
  });
}

}  // namespace ipusim
