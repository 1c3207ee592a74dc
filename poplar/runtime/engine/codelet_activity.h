// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/activity.h"
#include "ipusim/ids.h"

namespace poplar::detail {

/// What codelets did, by step of the executable.
class CodeletActivity {
 public:
  explicit CodeletActivity(std::size_t steps) : of_play_(steps), sum_(steps) {}

  /// Sets what the codelets of the step do in each play from now on, as the clock keeps their
  /// cycles.
  void set(ipusim::StepId step, const ipusim::Activity& of_play) {
    of_play_.at(ipusim::indexOf(step)) = of_play;
  }
  void play(ipusim::StepId step) { sum_[ipusim::indexOf(step)] += of_play_[ipusim::indexOf(step)]; }
  /// The sum over all plays begins at zero.
  void forget() { sum_.assign(sum_.size(), {}); }

  /// Over all plays: one entry per step.
  [[nodiscard]] const std::vector<ipusim::Activity>& sums() const { return sum_; }

 private:
  std::vector<ipusim::Activity> of_play_;
  std::vector<ipusim::Activity> sum_;
};

}  // namespace poplar::detail
