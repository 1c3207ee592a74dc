// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/conv/planner/candidate.h"

namespace ipusim::workloads {

/// Bringing the operands of a convolution to the layout of its vertex, and its result back, spread
/// over the tiles in use.
struct ConvRearrangement {
  ConvRearrangeTerms inputs;
  ConvRearrangeTerms weights;
  ConvRearrangeTerms output;
};

/// What does not lie as the vertex needs it is copied, and most of it is exchanged too:
///
///   copy     = ceil(5 bytes / (min(rate, piece) q)), q = 4, or 3 when channels fill no vectors
///   exchange = ceil(bytes / exchange rate)
///
/// Weight updates rearrange their operands in any case; their free form is the swapped one. Forward
/// and backward passes are free when not swapped, if channels fill groups. Grouping channels anew
/// needs a copy alone. Of a fully connected layer, the weight update rearranges its input in any
/// case, and the gradients lie for another pass, unless the passes share a plan.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT).
/// Calibrated: no.
ConvRearrangement rearrangementOf(const Architecture& machine, const ConvCandidate& candidate,
                                  std::uint32_t tiles);

}  // namespace ipusim::workloads
