// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"
#include "models/gpu/program.h"
#include "sim/compile/executable.h"
#include "workloads/sources/workload.h"

namespace ipusim::run {

/// What computes the times.
enum class Engine : std::uint8_t {
  SystemC,     ///< the chip, event by event
  ClosedForm,  ///< the same rules as recurrences, for sweeps
};

/// How an engine is called in results and on the command line.
const char* nameOf(Engine engine);
/// The same for a step: compute, copy, sync, exchange.
const char* nameOf(compiler::StepKind kind);

struct MachineResult {
  std::string name;
  std::uint32_t tiles = 0;
  Bytes sram_per_tile;
  Bytes code_region;
  double clock_hz = 0;

  [[nodiscard]] Bytes totalSram() const { return sram_per_tile * tiles; }
};

/// Bytes of a tile are its always-live bytes and its own peak of the others; totals are their sums
/// over the tiles. Gaps between addresses count only where the name says so.
struct MemoryResult {
  Bytes total;
  Bytes max_tile_bytes;
  std::uint32_t max_tile = 0;  ///< the lowest numbered of the fullest
  Bytes always_live;
  Bytes peak_not_always_live;
  compiler::CategoryBytes by_category = {};
  Bytes total_including_gaps;
  Bytes total_without_code;  ///< no vertex, control or exchange code, no stack
  Bytes max_tile_without_code;
};

/// How far a predicted time may be off, as one standard deviation of its logarithm.
struct Uncertainty {
  std::string kind;        ///< which published rows the spread is of
  std::uint64_t rows = 0;  ///< how many there are of this kind
  double spread = 0;       ///< of predictions around published values
  double constants = 0;    ///< what the standard errors of fitted constants make of the time
  double low_seconds = 0;
  double high_seconds = 0;
};

/// The run, and how a tile spends it on average. The parts are rounded down to whole cycles, but
/// for sync: the rest, which is waiting for others in and after the program.
struct TimeResult {
  Cycles cycles;
  double seconds = 0;
  Cycles compute;
  Cycles exchange;
  Cycles sync;
  Cycles host;
};

/// Useful work. No rate where there is no time, no fraction where there is no peak.
struct WorkResult {
  Flops flops;
  std::optional<double> flops_per_second;
  std::optional<double> peak_fraction;
  /// Of a sparse operand's elements that are not zero. Then the peak fraction is theirs.
  std::optional<Flops> nonzero_flops;
  std::optional<double> nonzero_flops_per_second;
};

/// A step of the compiled program. Cycles are those of all its iterations; vertices, bytes and
/// messages those of one.
struct StepResult {
  std::string name;
  compiler::StepKind kind = compiler::StepKind::Compute;
  std::uint64_t iterations = 0;
  Cycles cycles;               ///< of the tile that is longest in it
  std::uint32_t max_tile = 0;  ///< that tile, the lowest numbered of equals
  double mean_cycles = 0;      ///< over all tiles
  std::uint64_t vertices = 0;
  compiler::ExchangeVolume exchange;
  Bytes host;  ///< moved between the host and the chip
  Bytes live;  ///< not-always-live bytes of all tiles while it runs
};

/// A tile's memory at its peak, and its cycles.
struct TileResult {
  compiler::CategoryBytes bytes = {};
  Bytes always_live;
  Bytes peak_not_always_live;
  Bytes including_gaps;
  Bytes over;
  Cycles compute;
  Cycles copy;
  Cycles exchange;
  Cycles host;
  Cycles sync;
  Cycles idle;  ///< from its end to that of the run

  [[nodiscard]] Bytes total() const { return always_live + peak_not_always_live; }
};

struct EngineResult {
  Engine kind = Engine::SystemC;
  std::uint64_t iterations_simulated = 0;
  std::uint64_t tile_steps = 0;
  double wall_seconds = 0;  ///< of the engine alone; differs from run to run
};

/// The same work on a GPU, by its closed formulas.
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
  compiler::GraphCounts graph;
  Bytes total_bytes;
  Bytes max_tile_bytes;
  Cycles cycles;
  double seconds = 0;
  std::optional<double> speedup;  ///< its time over the workload's; none where one does not fit
  std::optional<double> memory_ratio;  ///< its bytes in all over the workload's
};

/// All that one run has to say. Plain data.
struct RunResult {
  std::string config;    ///< as run, overrides applied: JSON
  std::string workload;  ///< its kind
  /// What the config says of the workload beside its kind, in the order of the file.
  std::vector<std::pair<std::string, std::string>> parameters;
  MachineResult machine;
  compiler::GraphCounts graph;
  std::optional<compiler::OutOfMemory> oom;
  MemoryResult memory;
  TimeResult time;
  Uncertainty uncertainty;  ///< of the time
  WorkResult work;
  std::optional<workloads::PlanSummary> plan;
  std::optional<workloads::ModelSummary> model;
  std::optional<TrainingResult> training;
  std::optional<DenseResult> dense;
  std::optional<CompareResult> compare;
  std::vector<StepResult> steps;  ///< in program order
  std::vector<TileResult> tiles;
  EngineResult engine;

  [[nodiscard]] bool fits() const { return !oom.has_value(); }
};

}  // namespace ipusim::run
