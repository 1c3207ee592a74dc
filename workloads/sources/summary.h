// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/units.h"

// What a workload says of itself beside its graph, for results: plain data.

namespace ipusim::workloads {

/// How the planner cut an operation: keys and whole numbers in the order to print.
struct PlanSummary {
  std::vector<std::pair<std::string, std::string>> choices;      ///< e.g. method = "AMP"
  std::vector<std::pair<std::string, std::uint64_t>> partition;  ///< e.g. field_split = 4
  Cycles estimated_cycles;
};

/// The parameters of a layer: tensors that training would learn.
struct ModelSummary {
  /// The shapes of the variables that hold parameters, without padding, by name.
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> parameters;
  std::uint64_t dense_parameters;  ///< of the dense layer of its size

  [[nodiscard]] std::uint64_t count() const;
  /// The share of the dense layer's parameters that it does without.
  [[nodiscard]] double compressionRatio() const {
    return 1 - static_cast<double>(count()) / static_cast<double>(dense_parameters);
  }
};

/// A program that trains a network: its steps are all alike.
struct TrainingSummary {
  std::uint64_t steps;  ///< of an epoch
  std::uint64_t epochs;
  double host_step_seconds;  ///< of the host, beside each step of the chip

  [[nodiscard]] std::uint64_t total() const { return steps * epochs; }
};

}  // namespace ipusim::workloads
