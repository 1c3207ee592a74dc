// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "workloads/ops/reduce/planner/tile_work.h"

// What each tile does in a stage of a plan, and what the stages take.

namespace ipusim::workloads {

/// Columns [begin, end) of a stage, and where their rows are.
struct StageColumns {
  std::uint64_t begin;
  std::uint64_t end;
  /// The number of the element of ReduceProblem::held, of IntermediateStage::reductions or of
  /// FinalStage::reduced to which they belong.
  std::size_t source;
};

/// A tile's part of a stage.
struct StageShare {
  TileId tile;
  TileReduction reduction;
  /// The columns of each pattern: intervals that follow each other; or the same interval several
  /// times, whose rows follow each other. The latter are rows that a tile holds at any distances.
  std::vector<std::vector<StageColumns>> columns;
};

/// The tiles of each stage, ascending. A final stage on the tiles of its columns reduces what the
/// problem has there.
///
/// What a tile holds is one pattern for each element of ReduceProblem::held. Where several have
/// rows of the same columns, these columns are a pattern of single rows. Partials that are received
/// are one pattern for each reduction. In a final stage they are one for all of the tile, if all
/// its columns have equally many partials and each interval of them is in whole grains, and
/// otherwise one for each interval and depth.
std::vector<StageShare> onTileShares(const ReduceProblem& problem, const OnTileStage& stage);
std::vector<StageShare> intermediateShares(const IntermediateStage& stage);
std::vector<StageShare> finalShares(const TileCore& core, const ReduceProblem& problem,
                                    const FinalStage& stage);

/// Estimates of one stage.
struct StageCycles {
  Cycles exchange{0};  ///< with what the stage receives, and what it sends home
  Cycles compute{0};   ///< of the slowest tile
};

/// The stages of a plan, first to last. Casts before an exchange are left out: see
/// IntermediateStage::casts_first. A reduction of one row takes no stage.
std::vector<StageCycles> reduceStageCycles(const Architecture& machine,
                                           const ReduceProblem& problem, const ReducePlan& plan);

}  // namespace ipusim::workloads
