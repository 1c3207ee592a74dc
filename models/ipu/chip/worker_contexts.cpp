// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/worker_contexts.h"

#include <algorithm>

namespace ipusim {

WorkerContexts::WorkerContexts(const ChipTiming& timing)
    : timing_(timing), context_free_(timing.workers) {}

Cycles WorkerContexts::run(const VertexRun* first, const VertexRun* last, Cycles now) {
  const bool has_vertices =
      std::any_of(first, last, [](const VertexRun& run) { return run.count > 0; });
  if (!has_vertices) return now;

  supervisor_free_ = now + timing_.compute_set_entry;
  std::fill(context_free_.begin(), context_free_.end(), now);
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
    Cycles& context = *std::min_element(context_free_.begin(), context_free_.end());
    supervisor_free = std::max(supervisor_free, context) + launch;
    context = supervisor_free + hold;
  }
  supervisor_free_ = supervisor_free;
}

void WorkerContexts::runSupervisors(const VertexRun& run) {
  for (std::uint32_t vertex = 0; vertex < run.count; ++vertex) {
    supervisor_free_ = allFree() + timing_.supervisor_call + run.cycles;
    std::fill(context_free_.begin(), context_free_.end(), supervisor_free_);
  }
}

Cycles WorkerContexts::allFree() const {
  return std::max(supervisor_free_, *std::max_element(context_free_.begin(), context_free_.end()));
}

}  // namespace ipusim
