// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "sim/studies/sweep/space/expression.h"
#include "sim/studies/sweep/space/point_keys.h"
#include "sim/studies/sweep/space/zip.h"

namespace ipusim::sweep {

/// One run config at every combination of the dimensions' values. Points are numbered from 0; the
/// last dimension varies fastest. Points where the condition does not hold are left out.
///
/// An axis stated.NAME is no key of the run config. It states a figure for each value of the axes
/// that it goes together with. The figure stands in tables, and conditions and objectives know it.
struct Sweep {
  std::optional<ConfigReader> run;  ///< the run config, with changes that hold at all points
  std::vector<Dimension> dimensions;
  std::optional<Condition> where;
  std::string where_place;                      ///< place of the condition, as messages name it
  std::shared_ptr<const PointKeys> point_keys;  ///< values for the condition

  /// How many numbers of points there are, left-out ones included.
  [[nodiscard]] std::uint64_t numbers() const;
  /// How far the point is from meeting `where`. A point at which this cannot be evaluated counts as
  /// meeting it: running the point reports what is wrong.
  [[nodiscard]] ConditionValue asked(std::uint64_t number) const;
  /// The axes of all dimensions.
  [[nodiscard]] std::vector<const Axis*> axes() const;
  /// One value per axis of axes().
  [[nodiscard]] std::vector<const AxisValue*> valuesAt(std::uint64_t number) const;
  /// A value for each of axes().
  [[nodiscard]] std::vector<Override> axesAt(std::uint64_t number) const;
  /// The run config of a point: with those of axesAt() that are keys of it.
  [[nodiscard]] ConfigReader configAt(std::uint64_t number) const;
};

/// Describes a point by `key=value` of each axis, with spaces in between.
std::string describePoint(const Sweep& sweep, std::uint64_t point);

/// Visits the points that meet `where`, in ascending order.
void forEachPoint(const Sweep& sweep, const std::function<void(std::uint64_t)>& visit);

/// Reads a sweep file: `run = PATH`, the table `[axes]`, `zip` to vary axes together, and `where`.
/// Throws ConfigError for any other key, for a run config that is not TOML, and for more points
/// than a sweep computes, and for a change of an axis. `ipusim explore` reads the table [explore].
Sweep readSweep(const ConfigReader& config, const std::vector<Override>& changes = {});
/// Reads a sweep file with any number of points.
Sweep readSpace(const ConfigReader& config, const std::vector<Override>& changes = {});

}  // namespace ipusim::sweep
