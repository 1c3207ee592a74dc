// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/studies/sweep/worker_pool.h"

namespace ipusim::explore {

/// True where mpirun, or a scheduler in its place, started this process.
bool startedByMpi();
/// True where it started others beside this one.
bool isOneOfSeveralRanks();

/// The processes that mpirun started, on one machine or many, as one pool: rank 0 hands points out
/// and keeps what comes back, every other rank computes. A rank that is lost ends them all; what
/// was kept is kept.
class MpiRanks {
 public:
  /// Throws ConfigError where this build has no MPI.
  MpiRanks();
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  /// Waits for the other ranks.
  ~MpiRanks();

  [[nodiscard]] bool isOwner() const;
  [[nodiscard]] int size() const;

  /// At the owner, until all ranks have left. Ranks whose `identity` is another compute nothing,
  /// and what a rank that gives up was computing is not kept: points may be missing at the end.
  void compute(const PoolWork& work, const std::string& identity);
  /// At the owner, after that: a line for each rank that did not compute to the end.
  [[nodiscard]] const std::vector<std::string>& reasons() const;

  /// At the others: computes in processes of its own what the owner hands out, until there is no
  /// more.
  void serve(WorkerPool& pool, const std::string& identity);
  /// At the others, in place of serving: says why.
  void leave(const std::string& reason);

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace ipusim::explore
