// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "base/config/words.h"
#include "models/ipu/machine/system.h"
#include "sim/parallel/pipeline/collectives.h"
#include "workloads/networks/cuts/stage.h"

namespace ipusim::parallel {

/// How the IPUs of a replica share the work on the network.
enum class Execution : std::uint8_t {
  Pipelined,  ///< each IPU has a stage, and all work on micro-batches of their own
  Sharded,    ///< each IPU has a stage, and one IPU works at a time
  Phased,     ///< phases of the network take turns on one IPU or two
};
inline constexpr Words<Execution, 3> kExecutionWords{{{Execution::Pipelined, "pipelined"},
                                                      {Execution::Sharded, "sharded"},
                                                      {Execution::Phased, "phased"}}};

/// Which data lie in streaming memory between their uses.
struct OffloadClasses {
  bool weights = false;
  bool activations = false;  ///< those that wait for their backward pass or their next phase
  bool optimizer_state = false;

  [[nodiscard]] bool any() const { return weights || activations || optimizer_state; }
};

/// When a phase transfers. The words are those of the vendor's execution phases.
/// Source: graphcore/popart willow/include/popart/sessionoptions.hpp (MIT).
enum class IoSchedule : std::uint8_t {
  OnDemand,  ///< when data are needed, while nothing computes
  /// Beside the computing: parameters in the phase before their own, and in the phase after it when
  /// they go back; rows beside the micro-batch before, and after.
  Preload,
};
inline constexpr Words<IoSchedule, 2> kIoScheduleWords{
    {{IoSchedule::OnDemand, "on_demand"}, {IoSchedule::Preload, "preload"}}};

/// From where the rest of a forward pass is computed a second time.
enum class Checkpoints : std::uint8_t {
  Stages,   ///< the inputs of stages and phases
  Modules,  ///< the inputs of modules
};
inline constexpr Words<Checkpoints, 2> kCheckpointWords{
    {{Checkpoints::Stages, "stages"}, {Checkpoints::Modules, "modules"}}};

/// The programs whose simulation gives the time of a stage.
enum class MeasuredUnit : std::uint8_t {
  Stages,   ///< the program of the stage
  Modules,  ///< the programs of its modules, one after the other
};
inline constexpr Words<MeasuredUnit, 2> kMeasuredUnitWords{
    {{MeasuredUnit::Stages, "stages"}, {MeasuredUnit::Modules, "modules"}}};

/// What only Execution::Phased has.
struct PhaseSettings {
  std::uint32_t phases = 1;    ///< of the forward pass
  std::uint32_t io_tiles = 0;  ///< tiles of each IPU that transfer and do not compute
  IoSchedule schedule = IoSchedule::OnDemand;
};

/// A network that is trained on several IPUs of a system by replicas.
struct ParallelTraining {
  ConfigValues config;  ///< all of it
  ConfigReader sizes;   ///< the table of the workload, for errors that name a key
  System system;
  std::shared_ptr<const workloads::TrainedNetwork> network;
  Execution execution = Execution::Pipelined;
  std::uint32_t stages = 1;         ///< IPUs of a replica
  std::uint32_t replicas = 1;       ///< each trains on its own micro-batches
  std::uint64_t micro_batches = 1;  ///< of a replica, per update
  PhaseSettings phased = {};
  /// The number of modules of each section. Empty: to be chosen.
  std::vector<std::uint64_t> modules = {};
  bool recomputes = false;  ///< what `checkpoints` does not keep is computed a second time
  Checkpoints checkpoints = Checkpoints::Stages;
  bool spills = false;            ///< activations that have no room go to streaming memory
  bool shards_optimizer = false;  ///< each replica keeps its part of the optimiser state
  OffloadClasses offload = {};
  CollectiveChoice collective = {};
  MeasuredUnit measures = MeasuredUnit::Stages;
  double host_step_seconds = 0;  ///< time of the host beside each update
  /// What the passes of a framework's programs take, over what those compiled here take.
  double pass_time_ratio = 1;

  [[nodiscard]] std::uint32_t ipus() const { return stages * replicas; }
  [[nodiscard]] bool isPhased() const { return execution == Execution::Phased; }
  /// The parts into which the network is cut: one for each stage, or one for each phase of the
  /// forward pass.
  [[nodiscard]] std::uint32_t sections() const { return isPhased() ? phased.phases : stages; }
  /// Whether parameters of one phase move to and from an IPU while it computes another.
  [[nodiscard]] bool doublesBuffers() const {
    return phased.schedule == IoSchedule::Preload && stages == 1;
  }
  /// The micro-batches that a stage keeps for its backward passes.
  [[nodiscard]] std::uint64_t stashDepth(std::uint32_t stage) const;
  /// Whether sections keep their inputs alone, and compute all the rest a second time.
  [[nodiscard]] bool recomputesSections() const {
    return recomputes && checkpoints == Checkpoints::Stages;
  }
  /// Whether a stage keeps the inputs of its modules for `depth` micro-batches. The last one of
  /// several stages keeps all: its backward pass comes next.
  [[nodiscard]] bool recomputesModules(std::uint64_t depth) const {
    return recomputes && checkpoints == Checkpoints::Modules && (depth > 0 || stages == 1);
  }
  /// Replicas that are joined by IPU-Links. The others are joined to them by gateway links.
  [[nodiscard]] std::uint32_t rackReplicas() const;
  [[nodiscard]] std::uint32_t racks() const { return replicas / rackReplicas(); }
  /// What a prediction leaves out, one line each.
  [[nodiscard]] std::vector<std::string> warnings() const;
  /// An IPU of the system without its I/O tiles.
  [[nodiscard]] Machine computeIpu() const;
};

/// Reads all of `config`: `machine`, a system; [workload], a network; and [parallel]. Throws
/// ConfigError of one line.
ParallelTraining readParallel(const ConfigReader& config);

}  // namespace ipusim::parallel
