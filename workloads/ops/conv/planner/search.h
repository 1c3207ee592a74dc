// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/share.h"

namespace ipusim::workloads {

/// What a search found.
struct FoundConvPlan {
  std::size_t candidate;  ///< its index
  ConvPoint point;
  Cycles cycles;
  Bytes temp;
};

/// The point with the fewest cycles, then the fewest temporary bytes, of all candidates and all
/// splits that stay within `bound`. The first candidate wins a tie, and then the point with the
/// fewest parts of the dimensions that have the fewest grains. Nothing when no point stays within
/// it.
std::optional<FoundConvPlan> searchConvPlan(const Architecture& machine,
                                            const std::vector<ConvCandidate>& candidates,
                                            Bytes bound);

}  // namespace ipusim::workloads
