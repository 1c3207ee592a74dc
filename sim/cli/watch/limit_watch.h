// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
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

  /// From now on the end comes with `answer` on standard output and the exit code of a run that is
  /// done: what is going on since then is worth no longer wait. A line on standard error says which
  /// limit it was.
  void endWith(const std::string& answer);
  /// What is left of the time that is allowed. None without a limit.
  [[nodiscard]] std::optional<double> secondsLeft() const;

  /// Sets what the line says the program was doing. `what` must be a literal.
  void now(const char* what) { what_ = what; }

 private:
  using Clock = std::chrono::steady_clock;

  void watch();
  [[nodiscard]] bool isOverTime() const;
  [[nodiscard]] bool isOverMemory() const;
  /// Ends the program where it takes more than a limit allows, and says whether it does.
  [[nodiscard]] bool endsOverLimit() const;
  /// Ends the program when its working thread writes no file.
  void end(const char* option, const std::string& limit, const char* found) const;

  run::HostLimits limits_;
  Engine engine_;
  Clock::time_point begin_ = Clock::now();
  pthread_t worker_ = pthread_self();
  std::atomic<const char*> what_ = "building the graph";
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  bool is_done_ = false;  // the end has an answer
  std::thread watcher_;
};

}  // namespace ipusim::cli
