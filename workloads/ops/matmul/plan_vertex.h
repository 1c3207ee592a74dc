// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/matmul/plan_candidate.h"
#include "workloads/ops/matmul/plan_share.h"

namespace ipusim::workloads {

/// Cycles of the vertices of a step on a tile, as the planner sees them: AMP with idle workers
/// free, HMAC with its zeroing at the float rate, outer products as six equal vertices.
/// Source: graphcore/poplibs lib/poplin/ConvModel.cpp (MIT). Calibrated: no.
Cycles partialCalcCycles(const Architecture& machine, const PlanCandidate& candidate,
                         const TileShare& share);

/// Elements of zero a tile receives to make its operands those of a whole kernel: the rows AMP
/// takes at once, or the window of SLIC. Inputs are padded by the field they give, as published.
struct KernelZeros {
  std::uint64_t inputs;
  std::uint64_t weights;
};
KernelZeros kernelZerosOf(const Architecture& machine, const PlanCandidate& candidate,
                          const TileShare& share);

/// Bytes the vertex needs beside its operands and partials: a second result of each group of SLIC.
Bytes scratchBytes(const PlanCandidate& candidate, const TileShare& share);

/// The most multiply-adds that a tile's vertices get done in some cycles.
struct MultiplyRate {
  Cycles cycles;
  std::uint64_t multiplies;

  /// Cycles that `count` multiply-adds need at least, however they are shared out.
  [[nodiscard]] Cycles floorFor(std::uint64_t count) const { return cycles * (count / multiplies); }
};
MultiplyRate multiplyRate(const Architecture& machine, const PlanCandidate& candidate);

/// The least that partialCalcCycles gives for `share` or any larger field.
Cycles partialCalcFloor(const Architecture& machine, const PlanCandidate& candidate,
                        const TileShare& share);

}  // namespace ipusim::workloads
