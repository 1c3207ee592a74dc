// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/studies/sweep/worker.h"

namespace ipusim::explore {

struct PoolOptions {
  std::uint64_t jobs = 1;                 ///< processes at a time
  std::optional<double> timeout_seconds;  ///< that a point may take
};

/// What the owner of a pool wants next.
enum class Wish : std::uint8_t {
  GoOn,
  FinishPoints,  ///< those that are being computed, and no others
  EndNow,
};

/// Points to compute, and who is told. All of it is called in the process of the owner.
struct PoolWork {
  /// The next one for a process that had `last` before; none: there are no more.
  std::function<std::optional<std::uint64_t>(std::optional<std::uint64_t> last)> next;
  std::function<void(std::uint64_t, const PointResult&)> keep;  ///< as they come
  std::function<Wish()> wish;                                   ///< several times a second
};

/// What computes the points of some work.
using Compute = std::function<void(const PoolWork&)>;

/// Processes that compute points, each of which takes the next one when it is done. What ends a
/// process, or a point that takes too long, costs that point: it is kept as failed. To be used
/// where this process has one thread only; SystemC has one kernel a process, and none of them is
/// this.
class WorkerPool {
 public:
  /// Starts none yet. `evaluate` is called in the processes.
  WorkerPool(const PoolOptions& options, Evaluate evaluate);

  /// The processes stay for the next work, with all that they remember.
  void compute(const PoolWork& work);

 private:
  struct Seat {
    std::unique_ptr<Worker> worker;
    std::optional<std::uint64_t> last;  ///< point that it was given
    std::chrono::steady_clock::time_point begin;
  };

  static bool isBusy(const Seat& seat) { return seat.worker && seat.worker->point(); }
  void handOut(const PoolWork& work);
  void give(Seat& seat, std::uint64_t point);
  [[nodiscard]] std::vector<int> descriptors() const;
  void waitForNews() const;
  void collect(Seat& seat, const PoolWork& work);
  [[nodiscard]] bool isLate(const Seat& seat) const;

  PoolOptions options_;
  Evaluate evaluate_;
  std::vector<Seat> seats_;
  bool has_more_ = true;
};

}  // namespace ipusim::explore
