// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/worker_contexts.h"

#include <algorithm>

namespace ipusim::models {

WorkerContexts::WorkerContexts(const ChipTiming& timing)
    : timing_(timing), context_free_(timing.workers) {}

Cycles WorkerContexts::run(const VertexRun* first, const VertexRun* last, Cycles now) {
  const bool has_vertices =
      std::any_of(first, last, [](const VertexRun& run) { return run.count > 0; });
  if (!has_vertices) return now;

  supervisor_free_ = now + timing_.compute_set_entry;
  setAllFree(now);
  for (const VertexRun* run = first; run != last; ++run) {
    if (run->kind == VertexKind::Worker) {
      runWorkers(*run);
    } else {
      runSupervisors(*run);
    }
  }
  return allFree();
}

/// A context issues every `workers` cycles, whether other contexts have work or not.
void WorkerContexts::runWorkers(const VertexRun& run) {
  const Cycles launch = timing_.vertex_launch;
  const Cycles hold = run.cycles * timing_.workers;
  Cycles supervisor_free = supervisor_free_;
  for (std::uint32_t vertex = 0; vertex < run.count; ++vertex) {
    supervisor_free = std::max(supervisor_free, context_free_[earliest_]) + launch;
    occupyEarliest(supervisor_free + hold);
  }
  supervisor_free_ = supervisor_free;
}

void WorkerContexts::setAllFree(Cycles when) {
  std::fill(context_free_.begin(), context_free_.end(), when);
}

/// The context is mostly the last to be free again: equal vertices end in the order of their start.
void WorkerContexts::occupyEarliest(Cycles until) {
  std::size_t place = earliest_;
  const auto before = [this](std::size_t at) {
    return at == 0 ? context_free_.size() - 1 : at - 1;
  };
  earliest_ = earliest_ + 1 == context_free_.size() ? 0 : earliest_ + 1;
  while (place != earliest_ && context_free_[before(place)] > until) {
    context_free_[place] = context_free_[before(place)];
    place = before(place);
  }
  context_free_[place] = until;
}

void WorkerContexts::runSupervisors(const VertexRun& run) {
  for (std::uint32_t vertex = 0; vertex < run.count; ++vertex) {
    supervisor_free_ = allFree() + timing_.supervisor_call + run.cycles;
    setAllFree(supervisor_free_);
  }
}

Cycles WorkerContexts::allFree() const {
  const Cycles latest = earliest_ == 0 ? context_free_.back() : context_free_[earliest_ - 1];
  return std::max(supervisor_free_, latest);
}

}  // namespace ipusim::models
