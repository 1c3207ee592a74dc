// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// The supervisor and the worker contexts of one tile: when each of them is free again.
class WorkerContexts {
 public:
  explicit WorkerContexts(const ChipTiming& timing);

  /// Runs the vertices [first, last) from cycle `now` on, when all contexts are free. Returns when
  /// the supervisor and the contexts are free again.
  Cycles run(const VertexRun* first, const VertexRun* last, Cycles now);

 private:
  void runWorkers(const VertexRun& run);
  void setAllFree(Cycles when);
  void occupyEarliest(Cycles until);
  void runSupervisors(const VertexRun& run);
  [[nodiscard]] Cycles allFree() const;

  const ChipTiming& timing_;
  Cycles supervisor_free_;
  std::vector<Cycles> context_free_;  // a ring in the order of time from `earliest_` on
  std::size_t earliest_ = 0;
};

}  // namespace ipusim::models
