// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "sim/cli/watch/progress.h"
#include "sim/studies/sweep/run_sweep.h"

namespace ipusim::cli {

/// A duration such as `42 s`, `3 min 5 s` or `2 h 10 min`.
std::string describeTime(double seconds);

/// The progress after `seconds`, such as `[####------] 12 of 40 points, 3.2 points/s, 9 s left`.
/// The rate counts the points computed since the beginning. It is left out when there are none. The
/// bar is left out when the sweep has no points.
std::string describeProgress(const sweep::SweepState& state, double seconds);

/// Shows the progress of a sweep on standard error: on a terminal, as one line that is redrawn;
/// elsewhere, as one line every half minute. Uses no thread, so that the sweep may start processes.
class SweepProgress {
 public:
  SweepProgress();
  /// Must be called several times a second.
  void show(const sweep::SweepState& state);
  /// Reports how many points were computed in which time, if any were.
  void end(const sweep::SweepState& state);

 private:
  using Clock = std::chrono::steady_clock;

  ProgressLine line_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace ipusim::cli
