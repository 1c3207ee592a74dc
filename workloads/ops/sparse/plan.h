// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/units.h"
#include "workloads/ops/sparse/partition.h"

namespace ipusim::workloads {

/// The dimensions that a plan may cut.
enum class SparseCuts : std::uint8_t {
  /// Bands of the inner dimension and columns, which popsparse::static_ cuts (its options numBands
  /// and nSplit). Rows are cut in the fewest parts with which a plan fits.
  InnerAndColumns,
  All,  ///< rows too, wherever that saves time
};

struct SparsePlan {
  SparseSplits splits;
  Cycles cycles;  ///< estimate without syncs and launches
};

/// The splits with the least estimated cycles among those that fit a tile. The estimate covers
/// bringing non-zeros and dense rows, the vertex on a part with the average number of non-zeros,
/// the reduction, and what the reduction brings. When no split fits, the one with the fewest bytes
/// per tile.
/// Source: the terms are added as in graphcore/poplibs lib/popsparse/FullyConnectedPlan.cpp (MIT).
SparsePlan planSparse(const Architecture& machine, const SparseProblem& problem, SparseCuts cuts);

/// The estimate for given splits.
Cycles estimateSparse(const Architecture& machine, const SparseProblem& problem,
                      const SparseSplits& splits);

/// The bytes on the fullest tile while it multiplies or sums, estimated by the average part.
Bytes estimateSparseBytes(const SparseProblem& problem, const SparseSplits& splits);

}  // namespace ipusim::workloads
