// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

namespace ipusim {

/// The values of a tensor in row-major order.
using TensorValues = std::vector<double>;

/// What the outputs of a program should hold, in the order of the outputs.
struct Expected {
  /// No slack, and each output measured by its largest |value|. Not explicit: most references have
  /// no more to say.
  Expected(std::vector<TensorValues> of_outputs) : values(std::move(of_outputs)) {}

  std::vector<TensorValues> values;
  /// How far each value may be off beside the tolerance, because rounding alone moves it so far.
  /// Empty: not at all.
  std::vector<TensorValues> slack;
  /// What the errors of each output are measured by. Empty: its largest |value|.
  std::vector<double> scales;
};

}  // namespace ipusim
