// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/config/config_reader.h"
#include "sim/studies/sweep/space/axes.h"

namespace ipusim::sweep {

/// Axes that vary together: the first values of all of them, then the second ones. There is at
/// least one axis, and all axes have equally many values.
struct Dimension {
  std::vector<Axis> axes;

  [[nodiscard]] std::size_t count() const { return axes.front().values.size(); }
};

/// Groups the axes by the lists of `zip = [["workload.m", "workload.n"]]`. An axis in no list
/// stands alone. Dimensions are in the order of the file; a list is where its first axis is. A
/// point equal to the one before it is dropped. Throws ConfigError when a list names no axis, when
/// it names one that is in a list already, and when the axes of one list differ in length.
std::vector<Dimension> zipAxes(const ConfigReader& sweep, const std::vector<Axis>& axes);

}  // namespace ipusim::sweep
