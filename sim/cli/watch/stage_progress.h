// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "sim/cli/watch/progress.h"
#include "sim/studies/sweep/run_sweep.h"

namespace ipusim::cli {

/// How far the stages of some work are, on standard error: a line that is drawn over where that is
/// a terminal, else a line for each stage. It has no thread: processes are started meanwhile.
class StageProgress {
 public:
  StageProgress() = default;

  void show(const std::string& stage, const sweep::SweepState& state);
  /// Takes away what was drawn.
  void end() { line_.erase(); }

 private:
  using Clock = std::chrono::steady_clock;

  ProgressLine line_;
  std::string stage_;
  Clock::time_point begin_ = Clock::now();  ///< of the stage
  Clock::time_point next_ = Clock::now();   ///< when to draw again
};

}  // namespace ipusim::cli
