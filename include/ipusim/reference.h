// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/ids.h"
#include "ipusim/tensor.h"

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

/// A tensor that the host writes before the run or reads after it, row-major.
struct HostTensor {
  std::string name;
  Tensor tensor;
  std::uint64_t below = 2;   ///< for an integer type: made-up values stay below this
  TensorValues values = {};  ///< what the host writes; empty: made-up values
};

/// A row of a remote buffer that the host writes before the run or reads after it.
struct HostRow {
  std::string name;
  RemoteBufferId buffer;
  std::uint64_t row;
  std::uint64_t below = 2;   ///< for an integer type: made-up values stay below this
  TensorValues values = {};  ///< what the host writes; empty: made-up values
};

/// The tensors of a program that the host reads and writes, and rows in streaming memory. A row
/// that is among the inputs may be loaded before the program has stored it.
struct HostTensors {
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> outputs;
  std::vector<HostRow> input_rows = {};
  std::vector<HostRow> output_rows = {};
};

/// How to tell whether the numbers of a program are right.
struct Reference {
  /// Computes what the outputs hold after the program, or after one of its rounds, from the values
  /// that the inputs have in memory. Inputs and outputs are in the order of the HostTensors, rows
  /// behind tensors.
  std::function<Expected(const std::vector<TensorValues>&)> compute;
  double tolerance;  ///< largest |error|, divided by the scale of its output
  /// How often the outermost loop of the program runs, when `compute` describes one round of it.
  /// Every round is compared with `compute` of the values that the round found. An output with the
  /// name of an input is that input of the next round. 1: `compute` describes the whole program.
  std::uint64_t rounds = 1;
};

}  // namespace ipusim
