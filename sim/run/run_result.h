// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_values.h"
#include "ipusim/result.h"
#include "ipusim/units.h"
#include "models/gpu/program.h"
#include "models/ipu/energy/energy.h"
#include "sim/run/advice/advice.h"
#include "sim/run/detail/program_detail.h"
#include "workloads/sources/summary.h"

// The result of running a config, beyond the result of its graph: plain data.

namespace ipusim::run {

/// How far a predicted time may be off, as one standard deviation of its logarithm.
struct Uncertainty {
  std::string kind;        ///< the kind of published rows that the spread was computed from
  std::uint64_t rows = 0;  ///< number of these rows
  double spread = 0;       ///< spread of predictions around published values
  /// Number of the rows whose sizes are near those of the run; none where sizes do not count.
  std::optional<std::uint64_t> near_rows = {};
  std::string wider_because = {};  ///< why the spread is not that of near rows; else empty
  double constants = 0;  ///< spread of the time that the standard errors of fitted constants cause
  /// On several IPUs: the share of the time in which tiles do not compute. It has the spread of
  /// links, and the rest of the time has the spread of the kind.
  std::optional<double> links_share = {};
  double links_spread = 0;
  double low_seconds = 0;
  double high_seconds = 0;
};

/// What a GPU takes for the work of the run, by closed formulas.
struct GpuResult {
  gpu::Capacity memory;
  std::optional<gpu::Breakdown> time;  ///< none when the tensors do not fit
  std::optional<double> flops_per_second;
  std::optional<Uncertainty> uncertainty;  ///< uncertainty of the time
  /// Time relative to the dense layer that the structured one replaces.
  std::optional<double> over_dense;
  /// Time relative to the IPU's; none when one of the two does not fit.
  std::optional<double> speedup_of_ipu;
  /// The limit of the board times the time. The energy is not modelled.
  std::optional<double> at_most_joules;
};

/// The comparison with a GPU. Without results when no model covers the workload on a GPU.
struct CompareResult {
  std::string gpu;  ///< name of the GPU
  gpu::Host host = gpu::Host::None;
  /// The number of its constants by provenance.
  std::vector<std::pair<std::string, std::uint64_t>> constants;
  std::optional<GpuResult> fp32;
  std::optional<GpuResult> tf32;  ///< with products on tensor cores
  std::optional<GpuResult> half;  ///< of a program in half, which has no other result

  /// Whether a model covers the program.
  [[nodiscard]] bool isModelled() const { return fp32.has_value() || half.has_value(); }
  /// Whether the program's tensors fit the memory of the GPU, if a model covers it.
  [[nodiscard]] bool fits() const {
    return isModelled() && (half ? half->memory.fits() : fp32->memory.fits());
  }
};

/// The time of training, including the host's part of each step.
struct TrainingResult {
  std::uint64_t steps;  ///< steps of an epoch
  std::uint64_t epochs;
  double step_seconds;
  double host_step_seconds;  ///< the host's part of `step_seconds`
  double seconds;
};

/// The dense layer or network that the structured workload replaces, on the same machine.
struct DenseResult {
  bool fits = false;
  std::uint64_t parameters = 0;
  GraphCounts graph;
  Bytes total_bytes;
  Bytes max_tile_bytes;
  Cycles cycles;
  double seconds = 0;
  /// Its time over the workload's; none when one of the two does not fit.
  std::optional<double> speedup;
  std::optional<double> memory_ratio;  ///< its total bytes over the workload's
};

/// The program of a layer that is a program of its own.
struct LayerProgram {
  std::string same_as;  ///< the earlier layer that has an equal program; empty when there is none
  bool fits;
  Bytes max_tile_bytes;
  Bytes total_bytes;
  Bytes operands;  ///< what enters the program and leaves it, parameters included
  Cycles cycles;   ///< of one round
  double seconds;
};

/// What a layer takes on the GPU beside it, all rounds together.
struct LayerOnGpu {
  double seconds;
  std::optional<double> tf32_seconds;  ///< with products on tensor cores; none in half
};

/// What a layer of a network takes: the cycles of its steps on their busiest tiles, so that layers
/// add up to a little more than the program takes.
struct LayerResult {
  std::string name;
  std::string kind;
  std::uint64_t parameters;
  Flops forward_flops;
  Cycles forward;
  Cycles backward;  ///< recomputation and decoding included
  Cycles update;
  Cycles compute;                            ///< of all passes, in compute sets
  Cycles movement;                           ///< of all passes, in exchanges and copies
  std::optional<LayerProgram> program = {};  ///< of a layer that is a program of its own
  std::optional<LayerOnGpu> gpu = {};

  [[nodiscard]] Cycles total() const { return compute + movement; }
};

/// A run whose layers are programs of their own. Times are sums over the layers. Memory, tiles'
/// bytes, variables and liveness are those of one layer: the one that is furthest over, or else the
/// one with the fullest tile. The counts of the graph are sums over different programs.
struct SeparateResult {
  std::string fullest;       ///< that layer
  std::uint64_t layers;      ///< also those with equal programs
  std::uint64_t programs;    ///< different ones
  std::uint64_t do_not_fit;  ///< layers
  Bytes operands;            ///< what enters all layers and leaves them, in one round
  std::uint64_t rounds;
};

/// What the codes of saved activations take, in a training step. The cycles of steps are those of
/// their busiest tiles.
struct CompressionResult {
  workloads::CompressionSummary summary;
  Cycles encode;
  Cycles decode;
  /// Bytes of the tensors over the time of their codec; none without tensors.
  std::optional<double> encode_bytes_per_second;
  std::optional<double> decode_bytes_per_second;
};

/// What a run takes. Rough: the constants are bands.
struct RunEnergy : energy::EnergyResult {
  double watts = 0;                           ///< over the time of the run
  std::optional<double> picojoules_per_flop;  ///< none without useful work
  /// One sample takes this, the host's part of training steps included. None without a batch.
  std::optional<energy::EnergyResult> per_sample;
  double priors_only_joules = 0;  ///< in parts whose constants no published row identifies
  std::vector<energy::EnergyByPart> by_step;  ///< one entry per step; they add up to the joules
  std::vector<double> by_tile;  ///< joules, one entry per tile; they add up to the joules

  [[nodiscard]] double ofStep(std::size_t step) const {
    const energy::EnergyByPart& parts = by_step[step];
    return std::accumulate(parts.begin(), parts.end(), 0.0);
  }
};

/// All results of running a config.
struct RunResult : Result {
  ConfigValues config;   ///< all of the config
  std::string workload;  ///< kind of the workload
  /// The other keys of the workload, in the order of the file.
  std::vector<std::pair<std::string, std::string>> parameters;
  Uncertainty uncertainty;                 ///< uncertainty of the time
  std::optional<energy::AreaResult> area;  ///< of one chip of the machine
  std::optional<RunEnergy> energy;         ///< of all chips, with what holds them
  std::string unpriced;                    ///< why there are no costs; empty when there are
  std::optional<workloads::PlanSummary> plan;
  std::optional<workloads::ModelSummary> model;
  std::optional<TrainingResult> training;
  std::optional<CompressionResult> compression;
  std::vector<workloads::PassSummary> passes;  ///< that changed a network, in their order
  std::vector<LayerResult> layers;             ///< of a network, in the order of its forward pass
  std::optional<SeparateResult> separate;      ///< set where each layer is a program of its own
  std::vector<std::string> warnings;           ///< what the result leaves out, one line each
  std::optional<DenseResult> dense;
  std::optional<CompareResult> compare;
  std::optional<AdvisedChange> better_size;  ///< a padded size that takes less time, where tried
  std::optional<Advice> advice;         ///< of a program that does not fit, where it was asked for
  std::optional<ProgramDetail> detail;  ///< where it was asked for
};

}  // namespace ipusim::run
