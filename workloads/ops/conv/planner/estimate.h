// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "models/ipu/cost/products/conv_reduce.h"
#include "workloads/ops/conv/planner/share.h"
#include "workloads/ops/conv/planner/vertices/vertex_cycles.h"

namespace ipusim::workloads {

/// A point, with what its terms share.
struct ConvEvaluation {
  const Architecture& machine;
  const ConvCandidate& candidate;
  const ConvPoint& point;
  const ConvShare& share;
  const PositionSlots& slots;
  const models::ReductionDepths& depths;  ///< of partition.reductionDepth()
};

/// All terms of a point.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp, ExchangeEstimator.hpp (MIT).
/// Calibrated: no. The terms leave out syncs, launches and the start-up of exchanges, the flip of
/// weights before a backward pass, and a dilation of the result after the convolution.
ConvTerms convTerms(const ConvEvaluation& evaluation);

/// All terms, from the candidate and the point alone.
ConvTerms convTerms(const Architecture& machine, const ConvCandidate& candidate,
                    const ConvPoint& point);

}  // namespace ipusim::workloads
