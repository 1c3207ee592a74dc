// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/stage_progress.h"

#include <fmt/format.h>

#include "sim/cli/watch/sweep_progress.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

namespace {}  // namespace

void StageProgress::show(const std::string& stage, const sweep::SweepState& state) {
  const Clock::time_point now = Clock::now();
  if (stage != stage_) {
    stage_ = stage;
    begin_ = next_ = now;
    const std::uint64_t missing = state.points - state.done;
    if (!line_.isTerminal() && missing > 0) {
      say(fmt::format("ipusim: {}: {} of {} points to compute", stage, missing, state.points));
    }
  }
  if (!line_.isTerminal() || now < next_) return;
  const std::chrono::duration<double> seconds = now - begin_;
  line_.draw(fmt::format("ipusim: {}: {}", stage, describeProgress(state, seconds.count())));
  next_ = now + kRefresh;
}

}  // namespace ipusim::cli
