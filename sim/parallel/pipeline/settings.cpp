// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/powers_of_two.h"
#include "models/ipu/cost/collective_words.h"
#include "sim/parallel/pipeline/schedule.h"
#include "sim/parallel/place.h"
#include "workloads/sources/workload.h"

namespace ipusim::parallel {

namespace {

constexpr std::uint64_t kMostMicroBatches = 1U << 20U;
constexpr std::uint64_t kMostModules = 1U << 16U;

Pod readSystem(const ConfigReader& config) {
  Place place = readPlace(config);
  if (auto* pod = std::get_if<Pod>(&place)) return std::move(*pod);
  throw config.error("machine", fmt::format("a system such as pod16, for [parallel] puts stages "
                                            "and replicas on its IPUs ({} is one chip)",
                                            nameOf(place)));
}

Storage readStorage(const ConfigReader& table, const char* key, const Pod& pod) {
  if (table.choice(key, {"on_chip", "streaming"}, "on_chip") == "on_chip") return Storage::OnChip;
  if (pod.ipu.streaming.ipus == 0) {
    throw table.error(key, fmt::format("on_chip, for {} has no streaming memory", pod.name));
  }
  return Storage::Streaming;
}

/// Throws unless each rack that takes part has as many replicas, and has them whole.
void expectAlikeRacks(const ConfigReader& table, const ParallelTraining& training) {
  const std::uint32_t in_rack = training.rackReplicas();
  if (training.replicas == in_rack) return;
  if (training.pod.rack_ipus % training.stages == 0 && training.replicas % in_rack == 0) return;
  throw table.error("replicas",
                    fmt::format("as many whole replicas in each rack of {} IPUs (of {} stage{} "
                                "each, {} fit one rack)",
                                training.pod.rack_ipus, training.stages,
                                training.stages == 1 ? "" : "s", in_rack));
}

/// Throws unless the IPUs of the system can be cut into the replicas.
void expectPlaceable(const ConfigReader& table, const ParallelTraining& training) {
  const Pod& pod = training.pod;
  if (training.ipus() > pod.ipus) {
    throw table.error(training.replicas > 1 ? "replicas" : "stages",
                      fmt::format("stages x replicas of at most the {} IPU{} of {} (they are {})",
                                  pod.ipus, pod.ipus == 1 ? "" : "s", pod.name, training.ipus()));
  }
  if (training.replicas == 1) return;
  if (!isPowerOfTwo(training.replicas)) {
    throw table.error("replicas", "a power of two, to close the ring of replicas");
  }
  if (!isPowerOfTwo(training.stages)) {
    throw table.error("stages", "a power of two beside several replicas, to close their rings");
  }
  if (training.stages > pod.rack_ipus && pod.ipus > pod.rack_ipus) {
    throw table.error("stages", fmt::format("at most the {} IPUs of a rack", pod.rack_ipus));
  }
  expectAlikeRacks(table, training);
}

void expectCuttable(const ConfigReader& table, const ParallelTraining& training) {
  const std::size_t count = training.network.modules.size();
  if (training.stages > count) {
    throw table.error("stages", fmt::format("at most the {} modules of the network", count));
  }
  if (training.stages > 1 &&
      training.micro_batches < PipelineSchedule::fewestMicroBatches(training.stages)) {
    throw table.error(
        table.has("micro_batches") ? "micro_batches" : "stages",
        fmt::format("at least 2 x {} - 1 = {} micro-batches per update, which fill "
                    "the pipeline of {} stages: raise micro_batches (now {}) or "
                    "lower stages",
                    training.stages, PipelineSchedule::fewestMicroBatches(training.stages),
                    training.stages, training.micro_batches));
  }
  if (training.modules.empty()) return;
  const std::uint64_t sum =
      std::accumulate(training.modules.begin(), training.modules.end(), std::uint64_t{0});
  if (training.modules.size() != training.stages || sum != count) {
    throw table.error("modules",
                      fmt::format("one number of modules for each of the {} stage{}, {} "
                                  "together",
                                  training.stages, training.stages == 1 ? "" : "s", count));
  }
}

}  // namespace

std::uint32_t ParallelTraining::rackReplicas() const {
  return std::min(replicas, std::max<std::uint32_t>(1, pod.rack_ipus / stages));
}

bool isParallel(const ConfigReader& config) {
  return config.has("parallel");
}

ParallelTraining readParallel(const ConfigReader& config) {
  const ConfigReader workload = config.table("workload");
  ParallelTraining training{config.json(), workload, readSystem(config),
                            workloads::readNetwork(workload)};
  const ConfigReader table = config.table("parallel");
  const std::uint64_t most = 1U << 16U;  // more IPUs than any system has
  training.stages = static_cast<std::uint32_t>(table.whole("stages", 1, most, 1));
  training.replicas = static_cast<std::uint32_t>(table.whole("replicas", 1, most, 1));
  training.micro_batches = table.whole("micro_batches", 1, kMostMicroBatches, 1);
  if (table.has("modules")) training.modules = table.wholes("modules", 1, kMostModules);
  training.recomputes = table.flag("recomputation", false);
  // The state is shared by the replicas of one rack. One replica alone has nothing to share.
  training.shards_optimizer =
      table.flag("replicated_tensor_sharding", false) && training.rackReplicas() > 1;
  training.activations = readStorage(table, "activations", training.pod);
  training.optimizer = readStorage(table, "optimizer_state", training.pod);
  training.collective = readWord(table, "collective", models::kCollectiveWords, {});
  config.expectAllRead();
  expectPlaceable(table, training);
  expectCuttable(table, training);
  return training;
}

}  // namespace ipusim::parallel
