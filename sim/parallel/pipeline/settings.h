// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "models/ipu/system/pod.h"
#include "sim/parallel/pipeline/collectives.h"
#include "workloads/networks/network.h"

namespace ipusim::parallel {

/// Where tensors lie between their uses.
enum class Storage : std::uint8_t { OnChip, Streaming };

/// A network that is trained on several IPUs of a system: replicas of a pipeline.
struct ParallelTraining {
  std::string config;  ///< the config with overrides applied, as JSON
  ConfigReader sizes;  ///< the table of the workload, for errors that name a key
  Pod pod;
  workloads::Network network;
  std::uint32_t stages = 1;         ///< IPUs of a replica
  std::uint32_t replicas = 1;       ///< each trains on its own micro-batches
  std::uint64_t micro_batches = 1;  ///< of a replica, per update
  /// The number of modules of each stage. Empty: to be chosen.
  std::vector<std::uint64_t> modules = {};
  bool recomputes = false;  ///< stages keep their inputs alone, and compute the rest a second time
  bool shards_optimizer = false;          ///< each replica keeps its part of the optimiser state
  Storage activations = Storage::OnChip;  ///< those that wait for their backward pass
  Storage optimizer = Storage::OnChip;    ///< optimiser state
  CollectiveChoice collective = {};

  [[nodiscard]] std::uint32_t ipus() const { return stages * replicas; }
  /// Replicas that are joined by IPU-Links. The others are joined to them by gateway links.
  [[nodiscard]] std::uint32_t rackReplicas() const;
  [[nodiscard]] std::uint32_t racks() const { return replicas / rackReplicas(); }
};

/// True for a config that asks for several IPUs: it has a table [parallel].
bool isParallel(const ConfigReader& config);

/// Reads all of `config`: `machine`, a system; [workload], a network; and [parallel], with
/// `stages`, `replicas`, `micro_batches`, `modules`, `recomputation`, `replicated_tensor_sharding`,
/// `activations`, `optimizer_state` and `collective`. Throws ConfigError of one line.
ParallelTraining readParallel(const ConfigReader& config);

}  // namespace ipusim::parallel
