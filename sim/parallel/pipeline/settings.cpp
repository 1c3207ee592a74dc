// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/numbers/powers_of_two.h"
#include "models/ipu/cost/exchange/collective_words.h"
#include "sim/parallel/pipeline/cut_settings.h"
#include "sim/parallel/pipeline/schedule.h"
#include "sim/parallel/place.h"
#include "sim/registry/registry.h"
#include "workloads/sources/workload.h"

namespace ipusim::parallel {

namespace {

constexpr std::uint64_t kMostMicroBatches = 1U << 20U;
constexpr std::uint64_t kMostPhases = 1U << 16U;
constexpr std::uint64_t kMostTiles = 1U << 16U;
constexpr double kMostHostSeconds = 3600;
constexpr double kLeastRatio = 0.1;
constexpr double kMostRatio = 10;

System systemOfTraining(const ConfigReader& config) {
  Place place = readPlace(config);
  if (auto* system = std::get_if<System>(&place)) return std::move(*system);
  throw config.error("machine", fmt::format("a system such as pod16, for [parallel] puts stages "
                                            "and replicas on its IPUs ({} is one chip)",
                                            nameOf(place)));
}

/// Throws where a class that is offloaded frees no memory.
void expectUseful(const ConfigReader& table, const ParallelTraining& training) {
  const OffloadClasses& offload = training.offload;
  if (offload.weights && !training.isPhased()) {
    throw table.error("offload",
                      "weights only beside execution = \"phased\", for a stage reads its weights "
                      "in every micro-batch");
  }
  if (training.execution != Execution::Sharded) return;
  if (training.recomputes) {
    throw table.error("recomputation",
                      "false beside execution = \"sharded\", for no micro-batch waits");
  }
  if (offload.activations) {
    throw table.error("offload",
                      "no activations beside execution = \"sharded\", for no micro-batch waits");
  }
}

void readRecomputation(const ConfigReader& table, ParallelTraining& training) {
  training.recomputes = table.flag("recomputation", false);
  training.checkpoints = readWord(table, "checkpoints", kCheckpointWords, Checkpoints::Stages);
  if (training.recomputesSections() && training.network->codesActivations()) {
    throw table.error("recomputation",
                      "false beside codes for activations, or checkpoints = \"modules\" beside it, "
                      "for the inputs of stages and phases have no codes");
  }
  if (training.checkpoints == Checkpoints::Stages) return;
  if (!training.recomputes) {
    throw table.error("checkpoints", "no such key, or recomputation = true beside it");
  }
  if (training.execution != Execution::Pipelined) {
    throw table.error("checkpoints", "stages beside any execution but pipelined");
  }
}

void readOffload(const ConfigReader& table, ParallelTraining& training) {
  const std::vector<std::pair<std::string, bool OffloadClasses::*>> classes = {
      {"weights", &OffloadClasses::weights},
      {"activations", &OffloadClasses::activations},
      {"optimizer_state", &OffloadClasses::optimizer_state}};
  for (const std::string& word : table.texts("offload", {})) {
    const auto found = std::find_if(classes.begin(), classes.end(),
                                    [&](const auto& one) { return one.first == word; });
    if (found == classes.end()) {
      throw table.error("offload", "any of weights, activations and optimizer_state");
    }
    training.offload.*(found->second) = true;
  }
  if (training.offload.any() && training.system.ipu.streaming.ipus == 0) {
    throw table.error("offload",
                      fmt::format("[], for {} has no streaming memory", training.system.name));
  }
  expectUseful(table, training);
}

/// Spilling takes those of the activations that have no room; `offload` takes all.
void readSpill(const ConfigReader& table, ParallelTraining& training) {
  training.spills = table.flag("spill", false);
  if (!training.spills) return;
  if (training.execution != Execution::Pipelined) {
    throw table.error("spill", "false beside any execution but pipelined");
  }
  if (training.system.ipu.streaming.ipus == 0) {
    throw table.error("spill",
                      fmt::format("false, for {} has no streaming memory", training.system.name));
  }
  if (training.offload.any()) {
    throw table.error("spill", "false beside offload, which moves data whether they fit or not");
  }
  if (training.measures == MeasuredUnit::Modules) {
    throw table.error("spill",
                      "false beside measured = \"modules\", which compiles no program "
                      "whose tiles could be too full");
  }
}

/// I/O tiles come in pairs, and there are at least 32.
/// Source: graphcore/popart willow/src/popx/irlowering.cpp (MIT).
std::uint32_t readIoTiles(const ConfigReader& table, const Machine& ipu) {
  constexpr std::uint64_t kFewest = 32;
  const std::uint64_t tiles = table.whole("io_tiles", 0, kMostTiles, 0);
  if (tiles != 0 && (tiles < kFewest || tiles % 2 != 0 || tiles >= ipu.tiles)) {
    throw table.error("io_tiles", fmt::format("0, or an even number from {} to less than the {} "
                                              "tiles of an IPU",
                                              kFewest, ipu.tiles));
  }
  return static_cast<std::uint32_t>(tiles);
}

void readMeasuredUnit(const ConfigReader& table, ParallelTraining& training) {
  training.measures = readWord(table, "measured", kMeasuredUnitWords, MeasuredUnit::Stages);
  if (training.measures == MeasuredUnit::Modules && training.isPhased()) {
    throw table.error("measured", "stages beside execution = \"phased\"");
  }
}

void expectPipelineKeysAlone(const ConfigReader& table) {
  for (const char* key : {"phases", "io_tiles", "io_schedule"}) {
    if (table.has(key)) {
      throw table.error(key, "no such key, or execution = \"phased\" beside it");
    }
  }
}

void readPhases(const ConfigReader& table, ParallelTraining& training) {
  if (!training.isPhased()) return expectPipelineKeysAlone(table);
  if (training.stages > 2) {
    throw table.error("stages", "1 IPU or 2 IPUs of a replica, between which phases alternate");
  }
  PhaseSettings& phased = training.phased;
  phased.phases = static_cast<std::uint32_t>(table.whole("phases", 1, kMostPhases));
  if (phased.phases < training.stages) {
    throw table.error("phases", "at least 2 phases for 2 IPUs");
  }
  phased.io_tiles = readIoTiles(table, training.system.ipu);
  const bool overlaps = phased.io_tiles > 0 || training.stages == 2;
  phased.schedule = readWord(table, "io_schedule", kIoScheduleWords,
                             overlaps ? IoSchedule::Preload : IoSchedule::OnDemand);
  if (phased.schedule == IoSchedule::Preload && !overlaps) {
    throw table.error("io_schedule",
                      "on_demand, for without io_tiles and a second IPU nothing transfers beside "
                      "the computing");
  }
}

/// Throws unless each rack that takes part has as many replicas, and has them whole.
void expectAlikeRacks(const ConfigReader& table, const ParallelTraining& training) {
  const std::uint32_t in_rack = training.rackReplicas();
  if (training.replicas == in_rack) return;
  if (training.system.rack_ipus % training.stages == 0 && training.replicas % in_rack == 0) return;
  throw table.error("replicas",
                    fmt::format("as many whole replicas in each rack of {} IPUs (of {} stage{} "
                                "each, {} fit one rack)",
                                training.system.rack_ipus, training.stages,
                                training.stages == 1 ? "" : "s", in_rack));
}

/// Throws unless the IPUs of the system can be cut into the replicas.
void expectPlaceable(const ConfigReader& table, const ParallelTraining& training) {
  const System& system = training.system;
  if (training.ipus() > system.ipus) {
    throw table.error(
        training.replicas > 1 ? "replicas" : "stages",
        fmt::format("stages x replicas of at most the {} IPU{} of {} (they are {})", system.ipus,
                    system.ipus == 1 ? "" : "s", system.name, training.ipus()));
  }
  if (training.replicas == 1) return;
  if (!isPowerOfTwo(training.replicas)) {
    throw table.error("replicas", "a power of two, to close the ring of replicas");
  }
  if (!isPowerOfTwo(training.stages)) {
    throw table.error("stages", "a power of two beside several replicas, to close their rings");
  }
  if (training.stages > system.rack_ipus && system.ipus > system.rack_ipus) {
    throw table.error("stages", fmt::format("at most the {} IPUs of a rack", system.rack_ipus));
  }
  expectAlikeRacks(table, training);
}

}  // namespace

std::uint32_t ParallelTraining::rackReplicas() const {
  return std::min(replicas, std::max<std::uint32_t>(1, system.rack_ipus / stages));
}

std::uint64_t ParallelTraining::stashDepth(std::uint32_t stage) const {
  if (execution != Execution::Pipelined) return 0;
  return PipelineSchedule(stages, micro_batches).stashDepth(stage);
}

std::vector<std::string> ParallelTraining::warnings() const {
  std::vector<std::string> lines = network->warnings();
  if (shards_optimizer && network->updatesByNorms()) {
    lines.emplace_back(
        "each replica updates its part of a parameter by the norms of that part: the sums of norms "
        "over replicas, which the optimiser needs, are neither computed nor timed");
  }
  return lines;
}

Machine ParallelTraining::computeIpu() const {
  Machine ipu = system.ipu;
  ipu.tiles -= phased.io_tiles;
  return ipu;
}

ParallelTraining readParallel(const ConfigReader& config) {
  const ConfigReader workload = config.table("workload");
  ParallelTraining training{config.values(), workload, systemOfTraining(config),
                            registry::readNetwork(workload)};
  const ConfigReader table = config.table("parallel");
  const std::uint64_t most = 1U << 16U;  // more IPUs than any system has
  training.execution = readWord(table, "execution", kExecutionWords, Execution::Pipelined);
  training.stages = static_cast<std::uint32_t>(table.whole("stages", 1, most, 1));
  training.replicas = static_cast<std::uint32_t>(table.whole("replicas", 1, most, 1));
  training.micro_batches = table.whole("micro_batches", 1, kMostMicroBatches, 1);
  readRecomputation(table, training);
  // The state is shared by the replicas of one rack. One replica alone has nothing to share.
  training.shards_optimizer =
      table.flag("replicated_tensor_sharding", false) && training.rackReplicas() > 1;
  readOffload(table, training);
  readPhases(table, training);
  training.collective = readWord(table, "collective", models::kCollectiveWords, {});
  readMeasuredUnit(table, training);
  readSpill(table, training);
  training.host_step_seconds =
      table.real("host_step_seconds", 0, kMostHostSeconds, training.network->hostStepSeconds());
  training.pass_time_ratio = table.real("pass_time_ratio", kLeastRatio, kMostRatio, 1);
  readCuts(table, training);
  config.expectAllRead();
  expectPlaceable(table, training);
  expectCuttable(table, training);
  return training;
}

}  // namespace ipusim::parallel
