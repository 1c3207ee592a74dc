// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "sim/cli/progress.h"
#include "sim/studies/sweep/run_sweep.h"

namespace ipusim::cli {

/// `42 s`, `3 min 5 s`, `2 h 10 min`.
std::string describeTime(double seconds);

/// `[####------] 12 of 40 points, 3.2 points/s, 9 s left`, after so many seconds. The rate is that
/// of the points computed since the beginning; without any there is none,
/// and without points no bar.
std::string describeProgress(const explore::SweepState& state, double seconds);

/// Shows on standard error how far a sweep is: a line that is drawn anew where that is a terminal,
/// else a line every half a minute. Has no thread, so that the sweep may start processes.
class SweepProgress {
 public:
  SweepProgress();
  /// To be called several times a second.
  void show(const explore::SweepState& state);
  /// Says how many points were computed in which time, if any were.
  void end(const explore::SweepState& state);

 private:
  using Clock = std::chrono::steady_clock;

  ProgressLine line_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace ipusim::cli
