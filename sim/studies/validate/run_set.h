// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "sim/studies/validate/cell.h"

namespace ipusim::validate {

/// A config key and its values: one value, or those of a brace list.
struct OverrideList {
  std::string key;
  std::vector<std::string> values;
};

/// A run config with overrides. It stands for several runs when a value is a brace list.
struct RunSet {
  std::string config;  ///< the path as written
  std::vector<OverrideList> overrides;
};

/// Reads `PATH;key=value;key={value,value}`. A TOML array or inline table is one plain value.
/// Throws ConfigError.
RunSet parseRunSet(const Cell& cell);

/// Reads `text`, a part of the cell that holds overrides only.
std::vector<OverrideList> parseOverrides(const Cell& cell, std::string_view text);

/// The overrides of each run of the set, in order. Lists of equal length vary together. Lists of
/// different lengths give every combination; the last length varies fastest.
std::vector<std::vector<Override>> pointsOf(const std::vector<OverrideList>& overrides);

}  // namespace ipusim::validate
