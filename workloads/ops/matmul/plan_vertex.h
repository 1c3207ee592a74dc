// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/machine.h"
#include "workloads/ops/matmul/plan_candidate.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

/// Cycles of the vertices of a step on a tile, as the planner sees them: AMP with idle workers
/// free, HMAC with its zeroing at the float rate, outer products as six equal vertices.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT). Calibrated: no.
Cycles partialCalcCycles(const models::Machine& machine, const PlanCandidate& candidate,
                         const TileShare& share);

/// Cycles the vertices of a tile need at least for `multiplies` multiply-adds, however they are
/// shared out.
Cycles multiplyFloor(const models::Machine& machine, const PlanCandidate& candidate,
                     std::uint64_t multiplies);

/// The least that partialCalcCycles gives for `share` or any larger field.
Cycles partialCalcFloor(const models::Machine& machine, const PlanCandidate& candidate,
                        const TileShare& share);

}  // namespace ipusim::workloads
