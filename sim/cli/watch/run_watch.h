// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ipusim/observer.h"
#include "sim/cli/watch/build_watch.h"
#include "sim/cli/watch/limit_watch.h"
#include "sim/cli/watch/progress.h"
#include "sim/run/simulate.h"

namespace ipusim::cli {

/// A run is announced when its estimate is above one of these.
constexpr double kLongSeconds = 30;
constexpr Bytes kMuchMemory(4'000'000'000);

/// Watches one run from outside. Shows what is going on, announces a run that will take long or
/// much memory, and ends a run that goes over its limits.
class RunWatch {
 public:
  RunWatch(const run::HostLimits& limits, Engine engine) : limits_(limits), engine_(engine) {}
  /// Watches a run that may be executed with numbers, on `threads` threads.
  RunWatch(const run::HostLimits& limits, std::uint64_t threads)
      : limits_(limits), engine_(Engine::ClosedForm), threads_(threads) {}

  /// Sets what is going on from now on. `what` must be a literal.
  void now(const char* what);
  /// Announces an expensive run. Throws ConfigError when the run would surely go over a limit.
  void expect(const run::RunWork& work);
  /// Announces that the program that it expects is executed with numbers, and throws like expect().
  /// Only a program that fits is: its estimate is not known before it is compiled.
  void execute();
  /// As of LimitWatch.
  void endWith(const std::string& answer) { watch_.endWith(answer); }
  [[nodiscard]] std::optional<double> secondsLeft() const { return watch_.secondsLeft(); }
  /// Shows the step that the simulation of `experiment` is at. Null where nobody would see the
  /// step, because an observer costs time. The observer lives as long as this object.
  Observer* observerOf(const run::Experiment& experiment);

 private:
  void announce(const run::HostCost& cost);

  run::HostLimits limits_;
  Engine engine_;
  std::uint64_t threads_ = 1;  // that execute with numbers
  run::RunWork expected_;
  bool announced_ = false;
  Progress progress_{"building the graph"};
  /// Watches until the work of the graph is known. Half of what is announced passes without a word.
  std::unique_ptr<BuildWatch> building_ = std::make_unique<BuildWatch>(
      "building this graph",
      BuildWatch::Thresholds{kLongSeconds / 2, Bytes(kMuchMemory.value() / 2)});
  std::unique_ptr<Observer> observer_;
  LimitWatch watch_{limits_, engine_};
};

}  // namespace ipusim::cli
