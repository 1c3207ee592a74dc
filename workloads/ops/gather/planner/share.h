// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/machine.h"
#include "workloads/ops/gather/planner/plan.h"

namespace ipusim::workloads {

/// Type of the tables that update vertices work on.
ElementType updatedType(const EmbeddingProblem& problem);

/// A problem as all estimates read it.
struct PlannedTable {
  PlannedTable(const Architecture& architecture, const EmbeddingProblem& prepared);

  const Architecture& machine;
  const EmbeddingProblem& problem;
  Bytes element;             ///< of the table
  ElementType partials;      ///< updatedType
  std::uint64_t grain;       ///< elements of a row that stay together
  std::uint64_t row_grains;  ///< grains of a row

  /// True when rows are updated in another type than that of the table.
  [[nodiscard]] bool casts() const { return partials != problem.type; }
};

/// What the splits leave to the fullest tile.
struct EmbeddingShare {
  std::uint64_t groups;
  std::uint64_t rows;
  std::uint64_t column_grains;
  std::uint64_t columns;  ///< elements, in whole grains
  std::uint64_t indices;  ///< looked up in a step
  std::uint64_t results;  ///< of these, those that it holds when the rows are split
  std::uint64_t stored;   ///< elements of one table that it stores
  Bytes block;            ///< of the tables that it looks up in, all groups
  Bytes beyond_even;      ///< by which the block is larger than an even share of all tables
};

EmbeddingShare shareOf(const PlannedTable& table, const EmbeddingSplits& splits);

/// The bytes of the table that a look-up is charged for. Each look-up part receives its block.
/// Without look-up parts a tile receives nothing; the published planner charges what it holds
/// beyond an even share all the same, so that plans use many tiles.
Bytes sentTable(const EmbeddingSplits& splits, const EmbeddingShare& share);

/// The share of a tile that looks up nothing, and holds the same part of the table.
EmbeddingShare withoutIndices(EmbeddingShare share);

}  // namespace ipusim::workloads
