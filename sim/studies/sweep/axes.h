// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config_reader.h"

namespace ipusim::explore {

/// A value of an axis: as an override takes it, and as a cell shows it.
struct AxisValue {
  std::string toml;
  std::string shown;
};

/// The value that a JSON text says.
AxisValue axisValue(const std::string& json);

/// How a search may move along an axis.
enum class AxisKind : std::uint8_t {
  Categorical,  ///< from any value to any other
  Ordered,      ///< numbers, ascending or descending
  Continuous,   ///< a range of real numbers, taken in steps that are finer than what they change
};

/// A config key and the values it takes, one after the other.
struct Axis {
  std::string key;  ///< dotted, e.g. workload.n
  std::vector<AxisValue> values;
  AxisKind kind = AxisKind::Categorical;
};

/// The axes of an [axes] table, in the order of the file: `workload.n = [256, 512]`, or
/// `workload.n = {from = 256, to = 8192, count = 6, scale = "log2"}` with both ends included.
/// Between whole ends the values are rounded to whole numbers. Without a count a range has all
/// whole numbers between its ends or, on a scale of log2 or between real ends, 1,000 steps. Throws
/// ConfigError where there is no axis, one is empty, or one comes twice.
std::vector<Axis> readAxes(const ConfigReader& axes);

}  // namespace ipusim::explore
