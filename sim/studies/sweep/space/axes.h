// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config_reader.h"

namespace ipusim::sweep {

/// A value of an axis, as an override takes it and as a cell shows it.
struct AxisValue {
  std::string toml;
  std::string shown;
};

/// The value of a JSON text.
AxisValue axisValue(const std::string& json);

/// How a search may move along an axis.
enum class AxisKind : std::uint8_t {
  Categorical,  ///< from any value to any other
  Ordered,      ///< numbers, ascending or descending
  Continuous,   ///< a range of real numbers, taken in steps that are finer than what they change
};

/// A config key, and the values that it takes one after the other.
struct Axis {
  std::string key;  ///< dotted, e.g. workload.n
  std::vector<AxisValue> values;
  AxisKind kind = AxisKind::Categorical;
};

/// Reads the axes of an [axes] table, in the order of the file. An axis is a list, or a range that
/// includes both ends:
///
///   workload.n = [256, 512]
///   workload.n = {from = 256, to = 8192, count = 6, scale = "log2"}
///
/// Between whole ends the values are rounded to whole numbers. A range without a count has all
/// whole numbers between its ends; on a scale of log2 or between real ends it has 1,000 steps.
/// Throws ConfigError when there is no axis, when an axis is empty, and when an axis comes twice.
std::vector<Axis> readAxes(const ConfigReader& axes);

}  // namespace ipusim::sweep
