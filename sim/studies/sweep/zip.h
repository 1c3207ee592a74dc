// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/config_reader.h"
#include "sim/studies/sweep/axes.h"

namespace ipusim::explore {

/// Axes that go together: the first values of all of them, then the second ones. Never empty, and
/// all axes have equally many values.
struct Dimension {
  std::vector<Axis> axes;

  [[nodiscard]] std::size_t count() const { return axes.front().values.size(); }
};

/// The axes as the lists of `zip = [["workload.m", "workload.n"]]` put them together, an axis in no
/// list by itself; in the order of the file, a list where its first axis stands. Throws ConfigError
/// where a list names no axis, names one that is in a list already, or where axes of one list
/// differ in length. A point equal to the one before it is taken once.
std::vector<Dimension> zipAxes(const ConfigReader& sweep, const std::vector<Axis>& axes);

}  // namespace ipusim::explore
