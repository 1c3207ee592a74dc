// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ipusim/units.h"
#include "sim/studies/sweep/processes/worker.h"

namespace ipusim::sweep {

struct PoolOptions {
  std::uint64_t jobs = 1;                 ///< number of processes at a time
  std::optional<double> timeout_seconds;  ///< how long a point may take
  std::optional<Bytes> max_memory = {};   ///< what a process may hold
};

/// Whether the owner of a pool wants it to end.
enum class StopRequest : std::uint8_t {
  None,
  FinishPoints,  ///< completes the points that are being computed, and starts no others
  EndNow,
};

/// Points to compute, and callbacks. The process of the owner makes all calls.
struct PoolWork {
  /// The next point for a process whose previous point was `last`; none when there are no more.
  std::function<std::optional<std::uint64_t>(std::optional<std::uint64_t> last)> next;
  std::function<void(std::uint64_t, const PointResult&)> keep;  ///< called when a result comes
  std::function<StopRequest()> stop_request;                    ///< called several times a second
};

/// Computes the points of some work.
using Compute = std::function<void(const PoolWork&)>;

/// Processes that compute points; each takes the next point when it is done. When a process ends,
/// or when a point takes too long, that point is kept as failed. The owner must have one thread
/// only. SystemC has one kernel per process, and the owner runs none.
class WorkerPool {
 public:
  /// Starts no process yet. The worker processes call `evaluate`.
  WorkerPool(const PoolOptions& options, Evaluate evaluate);

  /// Computes some work. The processes stay for the next call, with all that they remember.
  void compute(const PoolWork& work);

 private:
  struct WorkerSlot {
    std::unique_ptr<Worker> worker;
    std::optional<std::uint64_t> last;  ///< the last point that it was given
    std::chrono::steady_clock::time_point begin;
  };

  static bool isBusy(const WorkerSlot& slot) { return slot.worker && slot.worker->point(); }
  void handOut(const PoolWork& work);
  void give(WorkerSlot& slot, std::uint64_t point);
  [[nodiscard]] std::vector<int> descriptors() const;
  void waitForNews() const;
  void collect(WorkerSlot& slot, const PoolWork& work);
  [[nodiscard]] bool isLate(const WorkerSlot& slot) const;
  [[nodiscard]] bool isTooLarge(const WorkerSlot& slot) const;

  PoolOptions options_;
  Evaluate evaluate_;
  std::vector<WorkerSlot> slots_;
  bool has_more_ = true;
};

}  // namespace ipusim::sweep
