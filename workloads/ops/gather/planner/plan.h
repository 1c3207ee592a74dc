// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

// Plans how look-ups and updates of rows of a table are spread over the tiles of one IPU: a
// restatement of the published planner of popops::embedding. layout.h says which tile then holds
// what.
// Source: graphcore/poplibs lib/popops/DynamicSlice.cpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// What a table is planned for.
enum class TableUse : std::uint8_t { Slice, Update, SliceAndUpdate };

constexpr bool isSliced(TableUse use) {
  return use != TableUse::Update;
}
constexpr bool isUpdated(TableUse use) {
  return use != TableUse::Slice;
}

/// What an update does with a row of the table and the row that an index brings.
enum class RowUpdate : std::uint8_t {
  Add,       ///< adds the row, times a scale
  Maximum,   ///< keeps the larger of each two elements
  Multiply,  ///< multiplies elements
  Replace,   ///< "none": overwrites; the last one stays
};

/// Which rows the indices are expected to name.
enum class IndexDistribution : std::uint8_t {
  Uniform,   ///< each row as often as any other
  OnePoint,  ///< one row alone
};

/// Whether the caller promises that the indices ascend.
enum class IndexOrder : std::uint8_t { Any, Sorted };

/// Whether the tiles of a look-up group get their part of the table in each serial step, or once
/// before the first.
enum class TableBroadcast : std::uint8_t { EachStep, BeforeSteps };

/// Splits that a caller fixes. A split that is set is the only one tried.
struct EmbeddingConstraints {
  std::optional<std::uint64_t> serial = {};
  std::optional<std::uint32_t> look_ups = {};
  std::optional<std::uint32_t> rows = {};
  std::optional<std::uint32_t> columns = {};
  std::optional<std::uint32_t> groups = {};
  std::optional<TableBroadcast> broadcast = {};
  std::optional<std::uint64_t> grain = {};
};

/// The default of poplibs for availableMemoryProportion of look-ups.
constexpr double kDefaultEmbeddingProportion = 0.6;

/// A bound above twice a tile's memory is no bound.
constexpr double kMaxEmbeddingProportion = 2;

/// The most rows, elements of a row, groups and indices. Row numbers have 32 bits.
constexpr std::uint64_t kMaxEmbeddingSize = std::uint64_t{1} << 31U;

/// Look-ups and updates to plan together, for equal tables in `groups`.
struct EmbeddingProblem {
  ElementType type = ElementType::Float;
  std::uint64_t groups = 1;   ///< tables, each with indices of its own
  std::uint64_t rows = 1;     ///< "entries" of a table
  std::uint64_t columns = 1;  ///< elements of a row
  std::uint64_t indices = 1;  ///< of one group: the most of all calls that share the plan
  TableUse use = TableUse::SliceAndUpdate;
  RowUpdate update = RowUpdate::Add;
  /// Type in which rows are added; none: that of the table. Other updates do not read it.
  std::optional<ElementType> partials = {};
  /// The share of a tile's memory that temporary data may take.
  double available_memory_proportion = kDefaultEmbeddingProportion;
  IndexDistribution distribution = IndexDistribution::Uniform;
  IndexOrder order = IndexOrder::Any;
  EmbeddingConstraints fixed = {};
};

/// The splits. The product of all but `serial` is at most the number of tiles. Each split of a size
/// is the least one that gives its largest part; of the indices, `serial * look_ups` is.
struct EmbeddingSplits {
  std::uint64_t serial = 1;    ///< of the indices, into steps one after the other
  std::uint32_t look_ups = 1;  ///< of the indices of a step; each part reads the whole table
  std::uint32_t rows = 1;      ///< of the table's rows: the sliced dimension
  std::uint32_t columns = 1;   ///< of the grains of a row: the unsliced dimension
  std::uint32_t groups = 1;
  TableBroadcast broadcast = TableBroadcast::EachStep;

  [[nodiscard]] std::uint32_t tiles() const { return look_ups * rows * columns * groups; }
};

/// Cycles of look-ups. All but the first term are those of one serial step.
struct SliceTerms {
  Cycles table_before_steps;  ///< once: brings the table to its tiles
  Cycles table_exchange;      ///< the same in each step
  Cycles look_up;             ///< of each index, among the tile's rows
  Cycles candidate_exchange;  ///< split rows: one candidate of each result per part
  Cycles candidate_look_up;   ///< split rows: picks the result
  [[nodiscard]] Cycles step() const;
  [[nodiscard]] Cycles total(std::uint64_t steps) const;
};

/// Cycles of updates in one serial step.
struct UpdateTerms {
  Cycles table_rearrange;  ///< brings the table to its tiles and back
  Cycles cast_slices;      ///< to the type of the partials
  Cycles zero_partials;    ///< fills the table of each look-up part
  Cycles slice_exchange;   ///< brings the new rows to all tiles with their columns
  Cycles update;           ///< of the rows that the tile holds
  Cycles reduce_exchange;  ///< of the tables of all look-up parts
  Cycles reduce;
  Cycles cast_table;  ///< to the type of the partials
  Cycles combine;     ///< of the reduced rows with the table
  Cycles cast_table_back;
  [[nodiscard]] Cycles step() const;
};

/// The estimate, term by term. Terms of a use that is not planned are zero.
struct EmbeddingTerms {
  SliceTerms slice;
  UpdateTerms update;
  Bytes slice_temp;  ///< temporary bytes of the fullest tile
  Bytes update_temp;
  Bytes table_storage;  ///< the table of one group on a tile; bounded by nothing
  Bytes exchange_code;  ///< an estimate; bounded by nothing

  [[nodiscard]] Cycles total(std::uint64_t steps) const;
  [[nodiscard]] Bytes temp() const;
};

/// A plan. It holds all that a lowering is to know: layout.h reads who holds what from it.
struct EmbeddingPlan {
  EmbeddingProblem problem;
  std::uint32_t machine_tiles = 0;  ///< tiles of the machine that it was made for
  std::uint64_t grain = 1;          ///< elements of a row that stay together
  std::uint64_t storage_grain = 1;  ///< elements of a block that stay together when it is stored
  /// The first of the plan's tiles. The library takes a hash of the plan, so that plans lie on
  /// different tiles; here a caller may set it.
  std::uint32_t first_tile = 0;
  EmbeddingSplits splits;
  /// Whether update vertices search for their first index. Other indices then cost nothing.
  IndexOrder vertex_order = IndexOrder::Any;
  EmbeddingTerms terms;
  Cycles cycles;  ///< terms.total(splits.serial): what was minimised
  Bytes temp;     ///< terms.temp()
  Bytes bound;    ///< bound of `temp` under which it was found; the largest number without one

  /// True when it was found within the memory that the problem allows.
  [[nodiscard]] bool isLimited() const;
};

/// The plan with the fewest cycles whose temporary data stay within the bound. When nothing does,
/// the bound is dropped. Among equal ones the plan with the fewest serial steps is taken, and then
/// as search.h says.
/// Throws ConfigError for sizes and proportions out of range, for types that no vertex updates, for
/// partials that are neither of the table's type nor floats of halfs, and for fixed splits that
/// allow no plan.
EmbeddingPlan planEmbedding(const Architecture& machine, const EmbeddingProblem& problem);

}  // namespace ipusim::workloads
