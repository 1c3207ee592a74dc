// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/config_reader.h"
#include "sim/explore/zip.h"

namespace ipusim::explore {

/// One run config at every combination of the dimensions' values. Points count from 0, the last
/// dimension fastest.
struct Sweep {
  std::filesystem::path run;
  std::vector<Dimension> dimensions;

  [[nodiscard]] std::uint64_t points() const;
  /// The axes of all dimensions.
  [[nodiscard]] std::vector<const Axis*> axes() const;
  /// A value for each of axes().
  [[nodiscard]] std::vector<const AxisValue*> valuesAt(std::uint64_t point) const;
  [[nodiscard]] std::vector<Override> overridesAt(std::uint64_t point) const;
};

/// `key=value` of each axis, with spaces between them.
std::string describePoint(const Sweep& sweep, std::uint64_t point);

/// Reads a sweep file: `run = PATH`, `[axes]` and, to have axes go together, `zip`. Throws
/// ConfigError for anything else in it, and where the run config is no TOML.
Sweep readSweep(const ConfigReader& config);

}  // namespace ipusim::explore
