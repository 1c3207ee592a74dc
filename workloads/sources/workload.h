// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/reference.h"
#include "ipusim/timing_mode.h"
#include "ipusim/units.h"
#include "models/gpu/program.h"
#include "workloads/sources/summary.h"

namespace ipusim::workloads {

/// A workload built for a machine.
struct BuiltWorkload {
  /// Which published rows a prediction of it is like: "matmul naive float", "codelet amp half".
  std::string prediction_kind;
  Graph graph;
  Program program;  ///< what the host starts, between its copies to the chip and from it
  /// The operands and results that the host knows, made when asked for: a planned operand has many
  /// pieces. Empty where it knows none.
  std::function<HostTensors()> host;
  Flops flops;  ///< useful work, e.g. 2mkn for a matmul, padding not counted
  /// Of `flops`, those on elements that are not zero, where an operand is sparse.
  std::optional<Flops> nonzero_flops = {};
  double peak_flops_per_cycle = 0;  ///< of the whole chip at this type; 0: the workload has none
  TimingMode timing = TimingMode::Program;
  std::optional<PlanSummary> plan;
  std::optional<ModelSummary> model = {};  ///< of a layer that has parameters
  std::optional<TrainingSummary> training = {};
  /// The dense layer or network that this one replaces, built when asked for. Empty where there is
  /// none.
  std::function<BuiltWorkload()> dense = {};
  /// The same work on a GPU, in FP32. None where there is no model of it there.
  std::optional<gpu::Program> gpu;
  /// None where there is no second way to the numbers.
  std::optional<Reference> reference;
};

/// A named workload: how to read its config and build its graph.
struct WorkloadKind {
  std::string name;
  std::string summary;  ///< one line for `ipusim list workloads`
  /// `config` is the [workload] table; reads all keys but `kind`. Bad values are ConfigErrors.
  std::function<BuiltWorkload(const ConfigReader& config, const Architecture& machine)> build;
};

/// All workloads, sorted by name (workloads/sources/registry.cpp).
const std::vector<WorkloadKind>& workloadKinds();

/// The prediction_kind of what a [workload] table asks for.
std::string predictionKind(const ConfigReader& workload);

/// The workload that the [workload] table names in `kind`, built. Throws ConfigError for an unknown
/// kind (naming the nearest), a bad value, or a key that nobody read.
BuiltWorkload buildWorkload(const ConfigReader& workload, const Architecture& machine);

}  // namespace ipusim::workloads
