// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>

#include "workloads/ops/gather/planner/share.h"

namespace ipusim::workloads {

/// A bound that bounds nothing.
constexpr Bytes kNoEmbeddingBound(std::numeric_limits<std::uint64_t>::max());

/// What a search found.
struct FoundEmbedding {
  EmbeddingSplits splits;
  Cycles cycles;
};

/// The splits with the fewest cycles among all that the rules of EmbeddingSplits allow and whose
/// temporary bytes stay within `bound`. Nothing when none do. isPreferred decides between equal
/// ones.
std::optional<FoundEmbedding> searchEmbedding(const PlannedTable& table, IndexOrder vertex_order,
                                              Bytes bound);

/// The most parts of the rows of a table: a part has two rows at least.
std::uint64_t mostRowParts(const EmbeddingProblem& problem);

/// The most serial steps, and the most look-up parts. Rows that are replaced are replaced at once,
/// in the order of the indices.
std::uint64_t mostIndexParts(const EmbeddingProblem& problem);

/// True when `a` is taken of two splits that cost the same: the one with fewer serial steps, then
/// the one that sends the table in each step, then the one with fewer parts of rows, of columns and
/// of groups, then the one with more look-up parts. The published solver has no order of its own:
/// what it takes depends on the bounds that it has met. This order takes the same in most cases.
bool isPreferred(const EmbeddingSplits& a, const EmbeddingSplits& b);

}  // namespace ipusim::workloads
