// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/matmul/plan_candidate.h"

namespace ipusim::workloads {

/// Bytes a tile brings to another layout in a step: the totals, padded to grains, spread over the
/// tiles used. An element counts as one of the result, and a loop's steps move all: as published.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT).
struct Rearranged {
  Bytes inputs;
  Bytes weights;
  Bytes output;
  Bytes regrouped;  ///< result that only changes its grouping, on its tile

  /// Source and result of the largest.
  [[nodiscard]] Bytes held() const;
};

/// What `candidate` rearranges on `tiles` tiles. Free are operands and result that were laid out
/// for this plan: swapped, in whole groups, and not those of another training pass.
Rearranged rearranged(const Architecture& machine, const PlanCandidate& candidate,
                      std::uint32_t tiles);

/// Cycles of the copies on a tile, and of the exchange.
///
///   copy = ceil(5 bytes / (min(copy rate, piece) q)), q = 4 for whole vectors of channels, else 3
///
/// piece: an element, or a group where only groups move. Source: as above.
struct RearrangeCycles {
  Cycles copy;
  Cycles exchange;
};
RearrangeCycles inputRearrangeCycles(const Architecture& machine, const PlanCandidate& candidate,
                                     const Rearranged& moved);
/// Of weights and result.
RearrangeCycles otherRearrangeCycles(const Architecture& machine, const PlanCandidate& candidate,
                                     const Rearranged& moved);

}  // namespace ipusim::workloads
