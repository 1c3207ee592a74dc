// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/matmul/plan_candidate.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

enum class PlanGoal : std::uint8_t {
  FewestCycles,  ///< and among these the fewest temporary bytes
  LeastMemory,   ///< and among these the fewest cycles
};

/// The best point of a search.
struct FoundPlan {
  PlanCandidate candidate;
  PlanPoint point;
  Cycles cycles;  ///< a joint plan has the sum of its three passes
  Bytes temp;     ///< a joint plan has the bytes of the pass that needs most
};

/// The best point over all candidates and splits whose temporary bytes stay within `bound`; the
/// first one found when several are equal. Nothing when none fits.
std::optional<FoundPlan> searchPlan(const Architecture& machine,
                                    const std::vector<PlanCandidate>& candidates, Bytes bound,
                                    PlanGoal goal);

}  // namespace ipusim::workloads
