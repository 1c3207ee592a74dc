// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "models/ipu/cost/slic.h"
#include "models/ipu/cost/worker_rows.h"
#include "workloads/ops/conv/planner/share.h"

namespace ipusim::workloads {

/// The slots of a tile's workers at each kernel position. They depend on the output positions of
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

/// The least cycles of the vertices for one grain of conv groups, in channels and out channels and
/// one unit of the kernel (kernelUnits), at the output positions of `share`.
std::uint64_t unitCycles(const Architecture& machine, const ConvCandidate& candidate,
                         const ConvShare& share, const PositionSlots& slots);

/// The least slots per output position of such a unit, however many positions a tile has.
std::uint64_t unitSlotsPerPosition(const Architecture& machine, const ConvCandidate& candidate);

/// Output positions of the whole convolution of which each costs slots. Where dilation leaves zeros
/// between inputs, some do not.
std::uint64_t costlyPositions(const ConvCandidate& candidate);

/// The kernel in the units that a vertex takes at once: the rows of AMP, the window of SLIC, and
/// single positions of other methods.
std::uint64_t kernelUnits(const Architecture& machine, const ConvCandidate& candidate,
                          const std::array<std::uint64_t, kMaxFieldDims>& kernel);

/// True when the vertex can compute `share`.
bool takes(const ConvCandidate& candidate, const ConvShare& share);

/// The zeros that a tile receives to make its operands those of whole windows. As published, inputs
/// are padded by the outputs that they give.
struct WindowZeros {
  std::uint64_t inputs = 0;
  std::uint64_t weights = 0;
};
WindowZeros windowZeros(const Architecture& machine, const ConvCandidate& candidate,
                        const ConvPoint& point, const ConvShare& share);

/// The bytes that the vertex needs besides its operands and partials: a second result of each SLIC
/// group.
Bytes scratchBytes(const ConvCandidate& candidate, const ConvShare& share);

}  // namespace ipusim::workloads
