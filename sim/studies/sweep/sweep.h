// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "sim/studies/sweep/expression.h"
#include "sim/studies/sweep/point_keys.h"
#include "sim/studies/sweep/zip.h"

namespace ipusim::explore {

/// One run config at every combination of the dimensions' values. Points are numbered from 0, the
/// last dimension fastest; those where the condition does not hold are left out.
struct Sweep {
  std::filesystem::path run;
  std::vector<Dimension> dimensions;
  std::optional<Condition> where;
  std::string where_place;                      ///< of the condition, as messages name it
  std::shared_ptr<const PointKeys> point_keys;  ///< for the condition

  /// How many numbers there are.
  [[nodiscard]] std::uint64_t numbers() const;
  /// How far the point is from what `where` says. Where that cannot be told it is not: the point
  /// itself will say what is wrong with it.
  [[nodiscard]] Truth asked(std::uint64_t number) const;
  /// The axes of all dimensions.
  [[nodiscard]] std::vector<const Axis*> axes() const;
  /// A value for each of axes().
  [[nodiscard]] std::vector<const AxisValue*> valuesAt(std::uint64_t number) const;
  [[nodiscard]] std::vector<Override> overridesAt(std::uint64_t number) const;
};

/// `key=value` of each axis, with spaces between them.
std::string describePoint(const Sweep& sweep, std::uint64_t point);

/// The points that are asked for, ascending.
void forEachPoint(const Sweep& sweep, const std::function<void(std::uint64_t)>& visit);

/// Reads a sweep file: `run = PATH`, `[axes]`, to have axes go together `zip`, and `where`. Throws
/// ConfigError for anything else in it, where the run config is no TOML, and where there are more
/// points than a sweep computes. An [explore] table is left to `ipusim explore`.
Sweep readSweep(const ConfigReader& config);
/// The same for a space of any size.
Sweep readSpace(const ConfigReader& config);

}  // namespace ipusim::explore
