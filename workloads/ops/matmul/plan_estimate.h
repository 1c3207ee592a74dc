// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "models/ipu/cost/conv_reduce.h"
#include "workloads/ops/matmul/plan.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

/// All terms of a point. `depths` are reductionDepths(partition.in_chans).
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp, ExchangeEstimator.hpp (MIT).
/// Calibrated: no. The terms leave out syncs, launches and the start-up of exchanges.
/// Valid for: 1x1 kernels.
PlanTerms planTerms(const Architecture& machine, const PlanCandidate& candidate,
                    const PlanPoint& point, const models::ReductionDepths& depths);

/// The least cycles of any one of several steps.
Cycles planStepFloor(const Architecture& machine, const PlanCandidate& candidate);

/// The least cycles of `partition` and of every coarser split of the field. It counts vertices, and
/// the exchanges that grow with a tile's field.
Cycles planCyclesFloor(const Architecture& machine, const PlanCandidate& candidate,
                       const MatmulPartition& partition);

/// Temporary bytes of the fullest tile. They are what is held through a loop, plus the most of
/// three: rearranging (source and result), multiplying (inputs, weights and partials), and a
/// reduction in stages. A coarser split of the field never needs less.
/// Source: as above.
Bytes planTempBytes(const Architecture& machine, const PlanCandidate& candidate,
                    const PlanPoint& point);

}  // namespace ipusim::workloads
