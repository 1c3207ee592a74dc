// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/base/config_reader.h"

namespace ipusim::explore {

/// A value of an axis: as an override takes it, and as a cell shows it.
struct AxisValue {
  std::string toml;
  std::string shown;
};

/// A config key and the values it takes, one after the other.
struct Axis {
  std::string key;  ///< dotted, e.g. workload.n
  std::vector<AxisValue> values;
};

/// The axes of an [axes] table, in the order of the file: `workload.n = [256, 512]`, or
/// `workload.n = {from = 256, to = 8192, count = 6, scale = "log2"}` with both ends included.
/// Between whole ends the values are rounded to whole numbers. Throws ConfigError where there is no
/// axis, one is empty, or one comes twice.
std::vector<Axis> readAxes(const ConfigReader& axes);

}  // namespace ipusim::explore
