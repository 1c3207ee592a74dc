// SPDX-License-Identifier: Apache-2.0
#include "sim/report/timeline/context_slices.h"

#include <algorithm>
#include <vector>

namespace ipusim::run {

namespace {

class Contexts {
 public:
  Contexts(const ChipTiming& timing, Cycles now,
           const std::function<void(const ContextSlice&)>& use)
      : timing_(timing), use_(use), supervisor_(now + timing.compute_set_entry) {
    free_.assign(timing.workers, now);
  }

  void run(const VertexRun& vertices) {
    if (vertices.kind == VertexKind::Worker) {
      runWorkers(vertices);
    } else {
      runSupervisor(vertices);
    }
  }

  [[nodiscard]] Cycles end() const {
    return std::max(supervisor_, *std::max_element(free_.begin(), free_.end()));
  }

 private:
  /// A context that waits for its launch is held, so the vertices of one run leave no gap.
  void runWorkers(const VertexRun& run) {
    std::vector<ContextSlice> slices(free_.size());
    for (std::uint32_t vertex = 0; vertex < run.count; ++vertex) {
      const auto earliest = std::min_element(free_.begin(), free_.end());
      const auto context = static_cast<std::uint32_t>(earliest - free_.begin());
      supervisor_ = std::max(supervisor_, *earliest) + timing_.vertex_launch;
      ContextSlice& slice = slices[context];
      if (slice.vertices++ == 0) slice.begin = supervisor_;
      *earliest = slice.end = supervisor_ + run.cycles * timing_.workers;
    }
    for (std::uint32_t context = 0; context < slices.size(); ++context) {
      slices[context].context = context;
      if (slices[context].vertices > 0) use_(slices[context]);
    }
  }

  void runSupervisor(const VertexRun& run) {
    const Cycles begin = end();
    supervisor_ = begin + run.count * (timing_.supervisor_call + run.cycles);
    std::fill(free_.begin(), free_.end(), supervisor_);
    use_({timing_.workers, run.count, begin, supervisor_});
  }

  const ChipTiming& timing_;
  const std::function<void(const ContextSlice&)>& use_;
  Cycles supervisor_;
  std::vector<Cycles> free_;
};

}  // namespace

Cycles contextSlices(const ChipTiming& timing, const VertexRun* first, const VertexRun* last,
                     Cycles now, const std::function<void(const ContextSlice&)>& use) {
  const bool has_vertices =
      std::any_of(first, last, [](const VertexRun& run) { return run.count > 0; });
  if (!has_vertices) return now;
  Contexts contexts(timing, now, use);
  for (const VertexRun* run = first; run != last; ++run) {
    if (run->count > 0) contexts.run(*run);
  }
  return contexts.end();
}

}  // namespace ipusim::run
