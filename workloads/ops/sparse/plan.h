// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/units.h"
#include "workloads/ops/sparse/partition.h"

namespace ipusim::workloads {

/// Which dimensions a plan may cut.
enum class SparseCuts : std::uint8_t {
  /// Bands of the inner dimension and columns, as popsparse::static_ cuts (its options numBands and
  /// nSplit); rows in the fewest parts with which a plan fits.
  InnerAndColumns,
  All,  ///< rows as well, wherever it pays
};

struct SparsePlan {
  SparseSplits splits;
  Cycles cycles;  ///< estimated, syncs and launches left out
};

/// The splits with the least estimated cycles of those that fit a tile: bringing non-zeros and
/// dense rows, the vertex on a part with the average number of non-zeros, the reduction and what it
/// brings. Where none fits, the one with the fewest bytes a tile. Source of the terms: as
/// graphcore/poplibs lib/popsparse/FullyConnectedPlan.cpp (MIT) adds them up.
SparsePlan planSparse(const Architecture& machine, const SparseProblem& problem, SparseCuts cuts);

/// The estimate for given splits.
Cycles estimateSparse(const Architecture& machine, const SparseProblem& problem,
                      const SparseSplits& splits);

/// Bytes on the fullest tile while it multiplies or adds up, by the average part.
Bytes estimateSparseBytes(const SparseProblem& problem, const SparseSplits& splits);

}  // namespace ipusim::workloads
