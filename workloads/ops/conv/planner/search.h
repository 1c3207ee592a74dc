// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/share.h"

namespace ipusim::workloads {

enum class PlanGoal : std::uint8_t {
  FewestCycles,  ///< and among these the fewest temporary bytes
  LeastMemory,   ///< and among these the fewest cycles
};

/// What a search found.
struct FoundConvPlan {
  std::size_t candidate;  ///< its index
  ConvPoint point;
  Cycles cycles;  ///< a joint plan has the sum of its three passes
  Bytes temp;     ///< a joint plan has the bytes of the pass that needs most
};

/// The best point of all candidates and all splits that stay within `bound`. The first candidate
/// wins a tie, and then the point with the fewest parts of the dimensions that have the fewest
/// grains. Nothing when no point stays within it.
std::optional<FoundConvPlan> searchConvPlan(const Architecture& machine,
                                            const std::vector<ConvCandidate>& candidates,
                                            Bytes bound, PlanGoal goal = PlanGoal::FewestCycles);

}  // namespace ipusim::workloads
