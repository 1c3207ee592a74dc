// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/chip/worker_contexts.h"

#include <algorithm>

namespace ipusim::models {

WorkerContexts::WorkerContexts(const ChipTiming& timing)
    : timing_(timing), context_free_(timing.workers) {}

Cycles WorkerContexts::run(const VertexRun* first, const VertexRun* last, Cycles now) {
  const bool has_vertices =
      std::any_of(first, last, [](const VertexRun& run) { return run.count > 0; });
  if (!has_vertices) return now;

  supervisor_free_ = now + timing_.compute_set_entry;
  std::fill(context_free_.begin(), context_free_.end(), now);
  for (const VertexRun* run = first; run != last; ++run) {
    for (std::uint32_t vertex = 0; vertex < run->count; ++vertex) {
      if (run->kind == VertexKind::Worker) {
        runWorkerVertex(run->cycles);
      } else {
        runSupervisorVertex(run->cycles);
      }
    }
  }
  return allFree();
}

/// A context issues every `workers` cycles, whether the others have work or not.
void WorkerContexts::runWorkerVertex(Cycles issue_slots) {
  Cycles& context = *std::min_element(context_free_.begin(), context_free_.end());
  supervisor_free_ = std::max(supervisor_free_, context) + timing_.vertex_launch;
  context = supervisor_free_ + issue_slots * timing_.workers;
}

void WorkerContexts::runSupervisorVertex(Cycles cycles) {
  supervisor_free_ = allFree() + timing_.supervisor_call + cycles;
  std::fill(context_free_.begin(), context_free_.end(), supervisor_free_);
}

Cycles WorkerContexts::allFree() const {
  return std::max(supervisor_free_, *std::max_element(context_free_.begin(), context_free_.end()));
}

}  // namespace ipusim::models
