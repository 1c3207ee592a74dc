// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config_reader.h"
#include "base/units.h"
#include "models/gpu/program.h"
#include "models/ipu/system/machine.h"
#include "workloads/graph/expected.h"
#include "workloads/graph/graph.h"

namespace ipusim::workloads {

/// What the time of a run stands for.
enum class Measurement : std::uint8_t {
  Program,          ///< the program as the machine runs it
  TileCounters,     ///< read off cycle counters on the tile, less what reading costs: no sync, no
                    ///< launch
  TileCountersRaw,  ///< the same, as the counters stand
};

/// How the planner cut an operation, for the result: keys and whole numbers in the order to print.
struct PlanSummary {
  std::vector<std::pair<std::string, std::string>> choices;      ///< e.g. method = "AMP"
  std::vector<std::pair<std::string, std::uint64_t>> partition;  ///< e.g. field_split = 4
  Cycles estimated_cycles;
};

/// A tensor the host writes before the run or reads after it, row-major.
struct HostTensor {
  std::string name;
  Tensor tensor;
  std::uint64_t below =
      2;  ///< what values of an integer type stay below, where the host makes some
};

/// How to tell whether the numbers are right.
struct Reference {
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> outputs;
  /// What the outputs hold after the program, or after one of its rounds, from the values of the
  /// inputs in the order above.
  std::function<Expected(const std::vector<TensorValues>&)> compute;
  double tolerance;  ///< largest |error| over the scale of its output
  /// How often the outermost loop of the program runs, where `compute` tells of one round of it:
  /// every round is held against what it made of the values that it found. 1: of the whole program.
  std::uint64_t rounds = 1;
};

/// The parameters of a layer: tensors that training would learn.
struct ModelSummary {
  /// The shapes of the variables that hold parameters, without padding, by name.
  std::vector<std::pair<std::string, Shape>> parameters;
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

/// A workload built for a machine.
struct BuiltWorkload {
  Graph graph;
  Flops flops;  ///< useful work, e.g. 2mkn for a matmul, padding not counted
  /// Of `flops`, those on elements that are not zero, where an operand is sparse.
  std::optional<Flops> nonzero_flops = {};
  double peak_flops_per_cycle = 0;  ///< of the whole chip at this type; 0: the workload has none
  Measurement measurement = Measurement::Program;
  std::optional<PlanSummary> plan;
  std::optional<ModelSummary> model = {};  ///< of a layer that has parameters
  std::optional<TrainingSummary> training = {};
  /// The dense layer or network that this one replaces, built when asked for. Empty where there is
  /// none.
  std::function<BuiltWorkload()> dense = {};
  /// The same work on a GPU, in FP32. None where there is no model of it there.
  std::optional<gpu::Program> gpu;
  /// Made when asked for: a run needs none. Empty where there is no second way to the numbers.
  std::function<Reference()> reference;
};

/// A named workload: how to read its config and build its graph.
struct WorkloadKind {
  std::string name;
  std::string summary;  ///< one line for `ipusim list workloads`
  /// `config` is the [workload] table; reads all keys but `kind`. Bad values are ConfigErrors.
  std::function<BuiltWorkload(const ConfigReader& config, const models::Machine& machine)> build;
};

/// All workloads, sorted by name (workloads/sources/registry.cpp).
const std::vector<WorkloadKind>& workloadKinds();

/// The workload that the [workload] table names in `kind`, built. Throws ConfigError for an unknown
/// kind (naming the nearest), a bad value, or a key that nobody read.
BuiltWorkload buildWorkload(const ConfigReader& workload, const models::Machine& machine);

}  // namespace ipusim::workloads
