// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/matmul/plan_candidate.h"

namespace ipusim::workloads {

/// The bytes that a tile brings to another layout in a step: the totals, padded to grains, spread
/// over the tiles in use. As published, every element has the size of an element of the result, and
/// the steps of a loop move all elements each.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT).
struct Rearranged {
  Bytes inputs;
  Bytes weights;
  Bytes output;
  Bytes regrouped;  ///< a result that only changes its grouping, on its tile

  /// Source and result of the largest of these.
  [[nodiscard]] Bytes held() const;
};

/// What `candidate` rearranges on `tiles` tiles. Nothing is moved for operands and a result that
/// were laid out for this plan: swapped, in whole groups, and not those of another training pass.
Rearranged rearranged(const Architecture& machine, const PlanCandidate& candidate,
                      std::uint32_t tiles);

/// Cycles of the copies on a tile, and of the exchange:
///
///   copy = ceil(5 bytes / (min(copy rate, piece) q)), q = 4 for whole vectors of channels, else 3
///
/// piece is an element, or a group where only groups move.
/// Source: as above.
struct RearrangeCycles {
  Cycles copy;
  Cycles exchange;
};
RearrangeCycles inputRearrangeCycles(const Architecture& machine, const PlanCandidate& candidate,
                                     const Rearranged& moved);
/// The cycles of weights and result.
RearrangeCycles otherRearrangeCycles(const Architecture& machine, const PlanCandidate& candidate,
                                     const Rearranged& moved);

}  // namespace ipusim::workloads
