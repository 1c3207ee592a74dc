// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/matmul/plan_candidate.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

/// Cycles of the vertices of a step on a tile, in the view of the planner: idle workers of AMP are
/// free, HMAC clears at the float rate, and outer products are six equal vertices.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT).
/// Calibrated: no.
Cycles partialCalcCycles(const Architecture& machine, const PlanCandidate& candidate,
                         const TileShare& share);

/// The zeros that a tile receives to make its operands those of a whole kernel: the rows that AMP
/// takes at once, or the window of SLIC. As published, inputs are padded by the field that they
/// give.
struct KernelZeros {
  std::uint64_t inputs;
  std::uint64_t weights;
};
KernelZeros kernelZerosOf(const Architecture& machine, const PlanCandidate& candidate,
                          const TileShare& share);

/// The bytes that the vertex needs besides its operands and partials: a second result of each SLIC
/// group.
Bytes scratchBytes(const PlanCandidate& candidate, const TileShare& share);

/// The largest number of multiply-adds that a tile's vertices do in some cycles.
struct MultiplyRate {
  Cycles cycles;
  std::uint64_t multiplies;

  /// The least cycles for `count` multiply-adds, however they are shared out.
  [[nodiscard]] Cycles floorFor(std::uint64_t count) const { return cycles * (count / multiplies); }
};
MultiplyRate multiplyRate(const Architecture& machine, const PlanCandidate& candidate);

/// The least value of partialCalcCycles for `share` or any larger field.
Cycles partialCalcFloor(const Architecture& machine, const PlanCandidate& candidate,
                        const TileShare& share);

}  // namespace ipusim::workloads
