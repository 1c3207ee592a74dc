// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/result.h"
#include "ipusim/units.h"
#include "models/gpu/program.h"
#include "workloads/sources/summary.h"

// What the run of a config has to say, beyond what its graph has: plain data.

namespace ipusim::run {

/// How far a predicted time may be off, as one standard deviation of its logarithm.
struct Uncertainty {
  std::string kind;        ///< which published rows the spread is of
  std::uint64_t rows = 0;  ///< how many there are of this kind
  double spread = 0;       ///< of predictions around published values
  double constants = 0;    ///< what the standard errors of fitted constants make of the time
  double low_seconds = 0;
  double high_seconds = 0;
};

/// What a GPU takes for the work of the run, by closed formulas.
struct GpuResult {
  gpu::Capacity memory;
  std::optional<gpu::Breakdown> time;  ///< none where the tensors do not fit
  std::optional<double> flops_per_second;
  std::optional<Uncertainty> uncertainty;  ///< of the time
  std::optional<double> over_dense;        ///< its time over that of the dense layer it stands for
  std::optional<double> speedup_of_ipu;    ///< its time over the IPU's; none where one does not fit
};

/// Beside a GPU. No results where nothing models the workload there.
struct CompareResult {
  std::string gpu;  ///< its name
  gpu::Host host = gpu::Host::None;
  /// How many of its constants are of each provenance.
  std::vector<std::pair<std::string, std::uint64_t>> constants;
  std::optional<GpuResult> fp32;
  std::optional<GpuResult> tf32;  ///< products on tensor cores
};

/// Training, the host's part of each step included.
struct TrainingResult {
  std::uint64_t steps;  ///< of an epoch
  std::uint64_t epochs;
  double step_seconds;
  double host_step_seconds;  ///< of those
  double seconds;
};

/// The dense layer or network in the place of the workload's, on the same machine.
struct DenseResult {
  bool fits = false;
  std::uint64_t parameters = 0;
  GraphCounts graph;
  Bytes total_bytes;
  Bytes max_tile_bytes;
  Cycles cycles;
  double seconds = 0;
  std::optional<double> speedup;  ///< its time over the workload's; none where one does not fit
  std::optional<double> memory_ratio;  ///< its bytes in all over the workload's
};

/// All that the run of a config has to say.
struct RunResult : Result {
  std::string config;    ///< as run, overrides applied: JSON
  std::string workload;  ///< its kind
  /// What the config says of the workload beside its kind, in the order of the file.
  std::vector<std::pair<std::string, std::string>> parameters;
  Uncertainty uncertainty;  ///< of the time
  std::optional<workloads::PlanSummary> plan;
  std::optional<workloads::ModelSummary> model;
  std::optional<TrainingResult> training;
  std::optional<DenseResult> dense;
  std::optional<CompareResult> compare;
};

}  // namespace ipusim::run
