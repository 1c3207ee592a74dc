// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/closed_form_compute.h"

#include <algorithm>

namespace ipusim::models {

ComputeClock::ComputeClock(const ChipTiming& timing) : timing_(timing), ends_(timing.workers) {}

Cycles ComputeClock::duration(const VertexRun* first, const VertexRun* last) {
  if (std::all_of(first, last, [](const VertexRun& run) { return run.count == 0; })) {
    return Cycles(0);
  }
  supervisor_ = timing_.compute_set_entry.value();
  std::fill(ends_.begin(), ends_.end(), 0);
  for (const VertexRun* run = first; run != last; ++run) {
    if (run->kind == VertexKind::Worker) {
      runWorkers(run->count, run->cycles.value() * timing_.workers);
    } else {
      runSupervisors(run->count, run->cycles.value());
    }
  }
  return Cycles(std::max(supervisor_, ends_.back()));
}

void ComputeClock::runWorkers(std::uint64_t count, std::uint64_t hold) {
  std::size_t turn = 0;        // number m of contexts that take turns
  std::uint64_t launched = 0;  // launches since m last grew
  while (count > 0) {
    const std::size_t grown = launchOne(hold);
    --count;
    launched = grown == turn ? launched + 1 : 0;
    turn = grown;
    if (launched >= 2 * turn) count -= skipTurns(turn, count, hold);
  }
}

/// Launches a vertex on the context that ends first. Returns how many contexts end no later than
/// the vertex.
std::size_t ComputeClock::launchOne(std::uint64_t hold) {
  supervisor_ = std::max(supervisor_, ends_.front()) + timing_.vertex_launch.value();
  const std::uint64_t end = supervisor_ + hold;
  std::size_t place = 1;
  for (; place < ends_.size() && ends_[place] <= end; ++place) ends_[place - 1] = ends_[place];
  ends_[place - 1] = end;
  return place;
}

/// Skips whole turns of the first `turn` contexts: as many turns as `count` vertices fill and as
/// end before the next context. Returns the number of vertices launched.
std::uint64_t ComputeClock::skipTurns(std::size_t turn, std::uint64_t count, std::uint64_t hold) {
  const std::uint64_t launch = timing_.vertex_launch.value();
  const std::uint64_t period = std::max(turn * launch, launch + hold);
  std::uint64_t turns = count / turn;
  if (turn < ends_.size() && period > 0) {
    turns = std::min(turns, (ends_[turn] - 1 - ends_[turn - 1]) / period);
  }
  for (std::size_t context = 0; context < turn; ++context) ends_[context] += turns * period;
  supervisor_ += turns * period;
  return turns * turn;
}

void ComputeClock::runSupervisors(std::uint64_t count, std::uint64_t cycles) {
  if (count == 0) return;
  const std::uint64_t each = timing_.supervisor_call.value() + cycles;
  supervisor_ = std::max(supervisor_, ends_.back()) + count * each;
  std::fill(ends_.begin(), ends_.end(), supervisor_);
}

}  // namespace ipusim::models
