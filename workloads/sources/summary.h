// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/units.h"

// What a workload reports besides its graph, as plain data for results.

namespace ipusim::workloads {

/// How the planner cut an operation: texts and whole numbers, in the order in which to print them.
struct PlanSummary {
  std::vector<std::pair<std::string, std::string>> choices;      ///< such as method = "AMP"
  std::vector<std::pair<std::string, std::uint64_t>> partition;  ///< such as field_split = 4
  Cycles estimated_cycles;
};

/// The parameters of a layer, which are the tensors that training would learn.
struct ModelSummary {
  /// The names and the shapes, without padding, of the variables that hold parameters.
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> parameters;
  std::uint64_t dense_parameters;  ///< parameters of the dense layer of its size

  [[nodiscard]] std::uint64_t count() const;
  /// The share of the dense layer's parameters that the layer saves.
  [[nodiscard]] double compressionRatio() const {
    return 1 - static_cast<double>(count()) / static_cast<double>(dense_parameters);
  }
};

/// A layer of a network: a statement of its text, or a node of its file.
struct LayerSummary {
  std::string name;  ///< the steps of the layer have this name, or begin with it and a '/'
  std::string kind;  ///< what the layer computes, such as "conv"
  std::uint64_t parameters;
  Flops forward_flops;
};

/// A named change that was made to a network before it was compiled.
struct PassSummary {
  std::string name;
  std::uint64_t times;  ///< nodes, or groups of nodes, that it changed
};

/// What lossy compression does to the activations that a training step saves.
struct CompressionSummary {
  struct CodedTensor {
    std::string name;
    Bytes before;
    Bytes after;  ///< of its code, scales included
  };
  std::vector<CodedTensor> tensors;  ///< in the order of the forward pass
  Bytes saved_before;                ///< of all tensors that the forward pass saves
  Bytes saved_after;
  Bytes metadata;   ///< of the scales and of the sign masks
  Bytes constants;  ///< of the matrices of the codec, which live always

  /// How many times smaller the coded tensors are.
  [[nodiscard]] double ratio() const;
};

/// A program that trains a network in equal steps.
struct TrainingSummary {
  std::uint64_t steps;  ///< steps of an epoch
  std::uint64_t epochs;
  double host_step_seconds;  ///< time of the host beside each step of the chip

  [[nodiscard]] std::uint64_t total() const { return steps * epochs; }
};

}  // namespace ipusim::workloads
