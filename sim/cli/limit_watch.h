// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "sim/run/host_cost.h"

namespace ipusim::cli {

/// What the user can do about a run on `engine` that goes over a limit.
constexpr const char* adviceOn(Engine engine) {
  return engine == Engine::ClosedForm
             ? "allow more, or make the sizes of the config smaller"
             : "allow more, or make the sizes of the config smaller (--engine closed-form takes "
               "less)";
}

/// While the object lives, it ends the program when the program takes more of this computer than
/// `limits` allow. The end comes with one line on standard error and the exit code of an error that
/// the user can mend. A file that is being written is completed first. Without limits the object
/// does nothing.
///
/// Only one object may exist at a time. The thread that makes the object must be the one that
/// writes files.
class LimitWatch {
 public:
  LimitWatch(const run::HostLimits& limits, Engine engine);
  LimitWatch(const LimitWatch&) = delete;
  LimitWatch& operator=(const LimitWatch&) = delete;
  ~LimitWatch();

  /// Sets what the line says the program was doing. `what` must be a literal.
  void now(const char* what) { what_ = what; }

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  [[nodiscard]] bool isOverTime() const;
  [[nodiscard]] bool isOverMemory() const;
  /// Ends the program when its working thread writes no file.
  void end(const std::string& line) const;

  run::HostLimits limits_;
  Engine engine_;
  Clock::time_point begin_ = Clock::now();
  pthread_t worker_ = pthread_self();
  std::atomic<const char*> what_ = "building the graph";
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread watcher_;
};

}  // namespace ipusim::cli
