// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ipusim/observer.h"
#include "sim/cli/limit_watch.h"
#include "sim/cli/progress.h"
#include "sim/run/simulate.h"

namespace ipusim::cli {

/// Watches one run from outside. Shows what is going on, announces a run that will take long or
/// much memory, and ends a run that goes over its limits.
class RunWatch {
 public:
  RunWatch(const run::HostLimits& limits, Engine engine) : limits_(limits), engine_(engine) {}
  /// Watches a run that is executed with numbers, on `threads` threads.
  RunWatch(const run::HostLimits& limits, std::uint64_t threads)
      : limits_(limits), engine_(Engine::ClosedForm), threads_(threads) {}

  /// Sets what is going on from now on. `what` must be a literal.
  void now(const char* what);
  /// Announces an expensive run. Throws ConfigError when the run would surely go over a limit.
  void hear(const run::RunWork& work);
  /// Shows the step that the simulation of `experiment` is at. Null where nobody would see the
  /// step, because an observer costs time. The observer lives as long as this object.
  Observer* observerOf(const run::Experiment& experiment);

 private:
  run::HostLimits limits_;
  Engine engine_;
  std::uint64_t threads_ = 0;  // that execute with numbers; 0: none do
  bool announced_ = false;
  Progress progress_{"building the graph"};
  std::unique_ptr<Observer> observer_;
  LimitWatch watch_{limits_, engine_};
};

}  // namespace ipusim::cli
