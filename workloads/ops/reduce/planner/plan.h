// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"
#include "models/ipu/cost/reductions/reduce.h"
#include "workloads/ops/reduce/planner/held_rows.h"
#include "workloads/ops/reduce/planner/partial_columns.h"

// Plans how the rows of a matrix are reduced to one over the tiles of an IPU: a restatement of the
// decisions of popops. Tiles and intervals of columns go in, and a plan comes out. The planner
// knows no graph. Source: graphcore/poplibs
// lib/popops/reduction/{Reduction,ReductionPlan,ReductionStages}.cpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// The type of partials, unless the caller asks for another: float for sums and products of halves,
/// and otherwise the type of the output. Partials are never smaller than the output.
ElementType partialsTypeOf(models::ReduceOp op, ElementType output);

/// A reduction of rows to plan.
struct ReduceProblem {
  models::ReduceOp op;
  ElementType input;
  ElementType output;
  ElementType between_tiles;  ///< type of the partials that an intermediate stage makes
  ElementType in_vertex;      ///< type of the partials that a tile makes of its own rows
  models::ReduceInto into = models::ReduceInto::Fresh;
  std::vector<HeldRows> held;  ///< all elements of the matrix; every column has some
  /// Where the output lies, by column, if the caller has it already.
  std::optional<std::vector<TileInterval>> output_given = std::nullopt;
  Cycles sync{0};  ///< the longest sync of the machine, which a change of layout adds
  /// The tile from which work is dealt. The library takes a hash. No cost depends on it.
  std::uint32_t first_tile = 0;
};

/// A reduction with default types of partials.
ReduceProblem reduceProblem(models::ReduceOp op, ElementType input, ElementType output,
                            std::vector<HeldRows> held);

enum class ReduceForm : std::uint8_t {
  NoRows,  ///< each column has one row: a cast, a copy, or an elementwise expression
  OnTile,  ///< each column is on one tile: one step, and no exchange
  Stages,
};

/// What a stage computes, wherever it does.
struct ReduceStage {
  models::ReduceOp op = models::ReduceOp::Add;
  ElementType partials = ElementType::Float;
  ElementType output = ElementType::Float;
  models::ReduceInto into = models::ReduceInto::Fresh;
  ElementType in_vertex = ElementType::Float;  ///< type of what the first of two steps leaves

  [[nodiscard]] models::ReduceKind kind() const { return {op, partials, output, into}; }
};

/// Each tile that holds rows of columns makes one partial per column of them, and nothing is sent.
/// The work is that of ReduceProblem::held.
struct OnTileStage {
  ReduceStage stage;
};

/// A tile reduces partials [first, last) of columns [begin, end), in the order of
/// PartialColumns::tilesOf(), to one partial of each of these columns.
struct PartialReduction {
  TileId tile;
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t first;
  std::uint64_t last;
};

/// Partials are sent, and reduced to fewer. Consecutive reductions of the same columns are on
/// consecutive tiles.
struct IntermediateStage {
  ReduceStage stage;
  /// Halves are cast to floats before they are sent, in a compute set of their own: a message of
  /// one half does not fill a word. The stage is planned for halves, and its vertices read floats.
  bool casts_first = false;
  PartialColumns sources;
  std::vector<PartialReduction> reductions;
};

/// Where the last stage reduces.
enum class FinalPlace : std::uint8_t {
  AtColumns,  ///< on the tile that holds all of a column
  Linear,     ///< on a linear layout, where the output then stays
  AtOutput,   ///< on the tiles of the output that the caller gave
  Balanced,   ///< on a linear layout, from where the outputs are sent to their places
};

/// All partials of a column are sent to the tile that reduces it, and reduced. Scale and update are
/// part of this stage alone.
struct FinalStage {
  ReduceStage stage;
  bool casts_first = false;  ///< as for an intermediate stage
  FinalPlace place = FinalPlace::Linear;
  PartialColumns sources;
  std::vector<TileInterval> reduced;  ///< where columns are reduced
  std::vector<TileInterval> result;   ///< where the outputs lie; empty: where they are reduced
  /// Estimates of both places for an output that the caller gave.
  Cycles at_output_cycles{0};
  Cycles balanced_cycles{0};
};

struct ReducePlan {
  ReduceForm form = ReduceForm::Stages;
  std::optional<OnTileStage> on_tile = std::nullopt;
  std::vector<IntermediateStage> intermediate;
  FinalStage final;
};

/// The plan that popops makes.
///
///  1. When no column is on two tiles, each tile reduces its own columns. The result is there,
///     except for halves of which each tile has one: those are mapped linearly.
///  2. When a tile has two rows of a column, each tile first reduces what it holds.
///  3. While needsIntermediateStage(), there is one more intermediate stage.
///  4. The final stage reduces what is left.
///
/// Squares are taken by the first stage that reduces; the others add.
/// Throws InternalError when a column has no element.
ReducePlan planReduce(const Architecture& machine, ReduceProblem problem);

}  // namespace ipusim::workloads
