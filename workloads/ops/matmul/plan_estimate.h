// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "models/ipu/cost/conv_reduce.h"
#include "workloads/ops/matmul/plan.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

/// All terms of a point. `depths` are reductionDepths(partition.in_chans).
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp, ExchangeEstimator.hpp (MIT). Calibrated: no;
/// no sync, launch or start-up of an exchange is in it. Valid for: 1x1 kernels.
PlanTerms planTerms(const Architecture& machine, const PlanCandidate& candidate,
                    const PlanPoint& point, const models::ReductionDepths& depths);

/// The least cycles of any one of several steps.
Cycles planStepFloor(const Architecture& machine, const PlanCandidate& candidate);

/// The least cycles of `partition` and of every coarser split of the field: vertices and the
/// exchanges that grow with a tile's field.
Cycles planCyclesFloor(const Architecture& machine, const PlanCandidate& candidate,
                       const MatmulPartition& partition);

/// Temporary bytes of the fullest tile: what is held through a loop, and the most of rearranging
/// (source and result), of multiplying (inputs, weights and partials) and of a reduction in stages.
/// Never less for a coarser split of the field. Source: as above.
Bytes planTempBytes(const Architecture& machine, const PlanCandidate& candidate,
                    const PlanPoint& point);

}  // namespace ipusim::workloads
