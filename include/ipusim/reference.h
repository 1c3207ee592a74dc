// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ipusim/expected.h"
#include "ipusim/tensor.h"

namespace ipusim {

/// A tensor that the host writes before the run or reads after it, row-major.
struct HostTensor {
  std::string name;
  Tensor tensor;
  std::uint64_t below = 2;   ///< what made-up values of an integer type stay below
  TensorValues values = {};  ///< what the host writes; empty: made-up values
};

/// What the host knows of a program.
struct HostTensors {
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> outputs;
};

/// How to tell whether the numbers of a program are right.
struct Reference {
  /// What the outputs hold after the program, or after one of its rounds, from the values of the
  /// inputs as memory holds them, both in the order of the HostTensors.
  std::function<Expected(const std::vector<TensorValues>&)> compute;
  double tolerance;  ///< largest |error| over the scale of its output
  /// How often the outermost loop of the program runs, where `compute` describes one round of it.
  /// Every round is held against what it made of the values that it found; an output that has the
  /// name of an input is that input of the next round. 1: `compute` describes the whole program.
  std::uint64_t rounds = 1;
};

}  // namespace ipusim
