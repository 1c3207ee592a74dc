// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/ipu/cost/conv_reduce.h"
#include "models/ipu/machine.h"
#include "workloads/ops/matmul/plan.h"
#include "workloads/ops/matmul/plan_candidate.h"

namespace ipusim::workloads {

/// What the fullest tile has in one serial step.
struct TileShare {
  std::uint64_t field;
  std::uint64_t in_groups;
  std::uint64_t out_groups;
  std::uint64_t conv_groups;
  std::uint64_t inputs;    ///< elements
  std::uint64_t weights;   ///< elements
  std::uint64_t partials;  ///< elements
};
TileShare tileShare(const PlanCandidate& candidate, const MatmulPartition& partition);

/// Bytes a tile brings to another layout: the totals spread over the tiles used.
struct Rearranged {
  Bytes inputs;
  Bytes weights;
  Bytes output;
  Bytes regrouped;  ///< result that only changes its grouping, on its tile

  [[nodiscard]] Bytes largest() const;
};
Rearranged rearranged(const models::Machine& machine, const PlanCandidate& candidate,
                      std::uint32_t tiles);

/// One point of the search.
struct PlanPoint {
  MatmulPartition partition;
  InputBroadcast broadcast = InputBroadcast::EachStep;
};

/// Cycles of the vertices of a step, as the planner sees them: AMP with idle workers free, HMAC
/// with its zeroing at the float rate, outer products with six equal vertices.
Cycles partialCalcCycles(const models::Machine& machine, const PlanCandidate& candidate,
                         const TileShare& share);

/// All terms of a point. `depths` are reductionDepths(partition.in_chans).
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp, ExchangeEstimator.hpp (MIT). Calibrated: no;
/// no sync, launch or start-up of an exchange is in it. Valid for: 1x1 kernels.
PlanTerms planTerms(const models::Machine& machine, const PlanCandidate& candidate,
                    const PlanPoint& point, const models::ReductionDepths& depths);

/// Temporary bytes of the fullest tile: what is sent before a loop, and the most of rearranging
/// (source and result), of multiplying (inputs, weights and partials) and of a reduction in stages.
/// Source: as above.
Bytes planTempBytes(const models::Machine& machine, const PlanCandidate& candidate,
                    const PlanPoint& point);

}  // namespace ipusim::workloads
