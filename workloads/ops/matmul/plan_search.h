// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/matmul/plan_candidate.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

enum class PlanGoal : std::uint8_t {
  FewestCycles,  ///< then the fewest temporary bytes
  LeastMemory,   ///< then the fewest cycles
};

/// Best point of a search.
struct FoundPlan {
  PlanCandidate candidate;
  PlanPoint point;
  Cycles cycles;  ///< joint: of all three passes
  Bytes temp;     ///< joint: of the pass that needs most
};

/// The best point over all candidates and splits whose temporary bytes stay within `bound`; the
/// first found where several are equal. Nothing where none fits.
std::optional<FoundPlan> searchPlan(const Architecture& machine,
                                    const std::vector<PlanCandidate>& candidates, Bytes bound,
                                    PlanGoal goal);

}  // namespace ipusim::workloads
