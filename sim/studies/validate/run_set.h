// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config_reader.h"
#include "sim/studies/validate/cell.h"

namespace ipusim::validate {

/// A config key and the values it takes: one, or those of a brace list.
struct OverrideList {
  std::string key;
  std::vector<std::string> values;
};

/// A run config and what differs from it; a set of runs where a value is a brace list.
struct RunSet {
  std::string config;  ///< a path, as written
  std::vector<OverrideList> overrides;
};

/// Reads `PATH;key=value;key={value,value}`. A TOML array or inline table is one plain value.
/// Throws ConfigError.
RunSet parseRunSet(const Cell& cell);

/// The same for `text`, a part of the cell that holds overrides only.
std::vector<OverrideList> parseOverrides(const Cell& cell, std::string_view text);

/// The overrides of each run of the set, in order. Lists of equal length go together; lists of
/// different lengths give every combination, the last length fastest.
std::vector<std::vector<Override>> pointsOf(const std::vector<OverrideList>& overrides);

}  // namespace ipusim::validate
