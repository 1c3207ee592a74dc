// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace ipusim {

/// The values of a tensor in row-major order.
using TensorValues = std::vector<double>;

/// What the outputs of a program should hold, in the order of the outputs.
struct Expected {
  /// Expects exactly `of_outputs`, without slack, and measures each output by its largest |value|.
  /// Implicit, because most references say no more than that.
  Expected(std::vector<TensorValues> of_outputs) : values(std::move(of_outputs)) {}

  std::vector<TensorValues> values;
  /// How far each value may be off in addition to the tolerance, because rounding alone moves it so
  /// far. Empty: no slack.
  std::vector<TensorValues> slack;
  /// The scale by which the errors of each output are measured. Empty: its largest |value|.
  std::vector<double> scales;
};

}  // namespace ipusim
