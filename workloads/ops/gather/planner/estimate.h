// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "workloads/ops/gather/planner/share.h"

namespace ipusim::workloads {

/// How the expected number of a worker's hits is rounded: the share of the table's rows that a tile
/// holds, times indices.
enum class HitRounding : std::uint8_t {
  Twice,  ///< the share to a double, and the product up: as published
  Once,   ///< the exact product up, never more than the published number
};

/// What an estimate is made of.
struct EmbeddingEvaluation {
  const PlannedTable& table;
  const EmbeddingSplits& splits;
  const EmbeddingShare& share;
  IndexOrder vertex_order;
  HitRounding hits = HitRounding::Twice;
};

/// All terms.
/// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, lib/popops/PerformanceEstimation (MIT).
/// Calibrated: no. The terms leave out syncs, launches, the exchange of indices, and the vertices
/// that turn row numbers into numbers of candidates when the rows are split.
EmbeddingTerms embeddingTerms(const EmbeddingEvaluation& evaluation);

/// The cycles of embeddingTerms alone.
SliceTerms sliceTerms(const EmbeddingEvaluation& evaluation);
UpdateTerms updateTerms(const EmbeddingEvaluation& evaluation);

/// True when the look-ups of all tiles could move all results at the width of the data path. The
/// published planner tries no other splits.
bool movesResults(const PlannedTable& table, const EmbeddingSplits& splits,
                  const SliceTerms& terms);

}  // namespace ipusim::workloads
