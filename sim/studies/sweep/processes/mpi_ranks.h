// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/studies/sweep/processes/worker_pool.h"

namespace ipusim::sweep {

/// True when mpirun, or a scheduler in its place, started this process.
bool startedByMpi();
/// True when other processes were started with this one.
bool isOneOfSeveralRanks();

/// The processes that mpirun started, on one machine or several, as one pool. Rank 0 hands out
/// points and keeps the results; every other rank computes. A lost rank ends them all, but what was
/// kept stays.
class MpiRanks {
 public:
  /// Throws ConfigError when this build has no MPI.
  MpiRanks();
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;
  /// Waits for the other ranks.
  ~MpiRanks();

  [[nodiscard]] bool isOwner() const;
  [[nodiscard]] int size() const;

  /// Called by the owner. Returns when all ranks have left. A rank with another `identity` computes
  /// nothing, and the current point of a rank that gives up is not kept: points may be missing at
  /// the end.
  void compute(const PoolWork& work, const std::string& identity);
  /// Called by the owner after compute(): one line per rank that did not compute to the end.
  [[nodiscard]] const std::vector<std::string>& reasons() const;

  /// Called by the other ranks: computes, in processes of its own, what the owner hands out, until
  /// there is no more.
  void serve(WorkerPool& pool, const std::string& identity);
  /// Called by another rank in place of serve(): tells the owner why.
  void leave(const std::string& reason);

 private:
  class Session;
  std::unique_ptr<Session> session_;
};

}  // namespace ipusim::sweep
