// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/search.h"

namespace ipusim::workloads {

/// What a search found, as a cache keeps it.
struct CachedPlan {
  TrainingPlan training = TrainingPlan::Separate;
  FoundConvPlan plan;  ///< a joint plan: of the forward pass
  Bytes bound;
};

std::string bytesOf(const CachedPlan& plan);
/// Nothing for bytes of another length.
std::optional<CachedPlan> cachedPlanOf(const std::string& bytes);

/// Whether a search among the candidates can come to this plan: it tries the point, whose cycles
/// and bytes are these, and the bytes stay within the bound.
bool isFound(const Architecture& machine, const std::vector<ConvCandidate>& candidates,
             const CachedPlan& kept);

/// The plans that a thread found last. A search may take a second, and what a graph surely takes is
/// told by the plans that building it asks for again.
class RecentPlans {
 public:
  /// Null for a key that is not among the last.
  [[nodiscard]] const CachedPlan* find(const std::string& key) const;
  void add(std::string key, const CachedPlan& plan);

 private:
  std::deque<std::pair<std::string, CachedPlan>> plans_;
};

}  // namespace ipusim::workloads
