// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "models/ipu/cost/products/slic.h"
#include "models/ipu/cost/worker_rows.h"
#include "workloads/ops/conv/planner/share.h"

namespace ipusim::workloads {

/// The slots of a tile's workers at each kernel position: what depends on the output positions of
/// the tile, and on no other part of its share.
struct PositionSlots {
  models::WorkerSlots amp{};   ///< AMP with a kernel
  models::SlicWorkers slic{};  ///< SLIC
};
PositionSlots positionSlots(const Architecture& machine, const ConvCandidate& candidate,
                            const ConvShare& share);

/// Cycles of the vertices of a step on a tile, in the view of the planner: idle workers of AMP are
/// free, partials are cleared at the float rate, and outer products are one vertex per worker, all
/// equal.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp, PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
Cycles partialCalcCycles(const Architecture& machine, const ConvCandidate& candidate,
                         const ConvShare& share, const PositionSlots& slots);

/// True when the vertex can compute `share`.
bool takes(const ConvCandidate& candidate, const ConvShare& share);

/// The bytes that the vertex needs besides its operands and partials: a second result of each SLIC
/// group.
Bytes scratchBytes(const ConvCandidate& candidate, const ConvShare& share);

}  // namespace ipusim::workloads
