// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/reference.h"
#include "ipusim/units.h"
#include "models/gpu/program.h"
#include "models/ipu/machine/execution_record.h"
#include "models/ipu/machine/system.h"
#include "models/ipu/machine/timing_mode.h"
#include "workloads/sources/least_size.h"
#include "workloads/sources/summary.h"

namespace ipusim::workloads {

// Units whose peaks the work of a workload is held against.
inline constexpr std::string_view kMatrixEngines = "the matrix engines at its types";
inline constexpr std::string_view kMatrixEnginesOnHalves = "the matrix engines on half values";
inline constexpr std::string_view kVectorUnits = "the vector units at its type";

struct BuiltWorkload;
class TrainedNetwork;

/// A network that is trained, and that may be cut into stages (workloads/networks/cuts/stage.h).
using TrainedNetworkPointer = std::shared_ptr<const TrainedNetwork>;

/// A layer that is a program of its own.
struct SeparateProgram {
  std::size_t equal_to;  ///< the first layer with equal steps, by index; this one, if it is
  Bytes operands;        ///< what enters the program and leaves it, parameters included
  std::function<BuiltWorkload()> build;
};

/// A workload built for a machine.
struct BuiltWorkload {
  /// The kind of published rows that its prediction is like, such as "matmul naive float".
  std::string prediction_kind;
  Graph graph;
  /// The program that the host starts, between its copies to the chip and from it.
  Program program;
  /// What If, Switch and RepeatWhile steps do in the run that is timed. None for a program without
  /// such steps.
  std::optional<ExecutionRecord> record = {};
  std::uint64_t record_line = 0;  ///< of `source`, where the record stands
  /// The file that the graph was read from: its mistakes are those of a user. Empty when there is
  /// none.
  std::string source;
  /// For variables of an integer type in a graph that was read: the values that a check makes up
  /// stay below this.
  std::map<VariableId, std::uint64_t> below;
  /// Makes the operands and results that the host knows. A planned operand has many pieces, so they
  /// are made only when asked for. Empty when the host knows none.
  std::function<HostTensors()> host;
  /// Useful work without padding, such as 2mkn for a matmul. None: the work of all vertices that
  /// run.
  std::optional<Flops> flops = {};
  /// The part of `flops` on elements that are not zero, when an operand is sparse.
  std::optional<Flops> nonzero_flops = {};
  /// Peak of the whole chip at this type; 0 when the workload has none.
  double peak_flops_per_cycle = 0;
  std::string peak_units = {};  ///< the units that have this peak; empty when nobody said
  /// Samples that a run works on, those of all training steps; 0 for what has no batch.
  std::uint64_t samples = 0;
  TimingMode timing = TimingMode::Program;
  std::optional<PlanSummary> plan;
  std::optional<ModelSummary> model = {};  ///< set for a layer with parameters
  std::optional<TrainingSummary> training = {};
  std::optional<CompressionSummary> compression = {};
  std::vector<PassSummary> passes = {};  ///< that changed a network, in the order in which they ran
  std::vector<LayerSummary> layers = {};  ///< of a network, in the order of the forward pass
  /// What the result leaves out, one line each.
  std::vector<std::string> warnings = {};
  /// One entry per entry of `layers`, for layers that are programs of their own: they run one after
  /// the other, `rounds` times. `graph` and `program` are empty then.
  std::vector<SeparateProgram> separate = {};
  std::uint64_t rounds = 1;
  /// Builds the dense layer or network that this one replaces. Empty when there is none.
  std::function<BuiltWorkload()> dense = {};
  /// The program for equal work on a GPU. None when no model covers it.
  std::optional<gpu::Program> gpu;
  /// None when there is no second way to compute the numbers.
  std::optional<Reference> reference;
  /// Names of results that no check compares, because the host cannot read them.
  std::vector<std::string> unchecked = {};
};

/// Builds a workload for the tiles of a system from `config`, the [workload] table. Reads all keys
/// but `kind`. Throws ConfigError for bad values.
using BuildWorkload =
    std::function<BuiltWorkload(const ConfigReader& config, const System& system)>;

/// A named workload: how to read its config and build its graph.
struct WorkloadKind {
  std::string name;
  std::string summary;  ///< one line for `ipusim list workloads`
  BuildWorkload build;
  /// Reads the same keys as a network that may be cut. Empty for what is not one.
  std::function<TrainedNetworkPointer(const ConfigReader& config)> network = {};
  /// What building surely takes. Empty for a kind of which no formula says it.
  std::function<LeastSize(const ConfigReader& config, const System& system)> least = {};
  /// What a file has that the workload is made of, one line each, before anything is planned. Empty
  /// for a kind without one.
  std::function<std::vector<std::string>(const ConfigReader& config)> preview = {};
};

}  // namespace ipusim::workloads
