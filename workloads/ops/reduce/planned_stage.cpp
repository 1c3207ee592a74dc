// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planned_stage.h"

#include <algorithm>
#include <utility>

#include "ipusim/error.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {

void PlannedStages::addStage(const std::string& stage, const std::vector<StageShare>& shares,
                             const StageData& data) {
  std::vector<TileStage> tiles;
  tiles.reserve(shares.size());
  for (const StageShare& share : shares) {
    tiles.push_back({share, planTileWork(machine_, share.reduction), {}});
  }
  addBetween(stage, tiles);
  const ComputeSetId first = graph_.addComputeSet(name_ + stage + "/Reduce");
  program_.add(execute(first));
  for (const TileStage& tile : tiles) addFirst(first, tile, data);
  const bool has_second = std::any_of(tiles.begin(), tiles.end(), [](const TileStage& tile) {
    return !tile.work.second.workers.empty();
  });
  if (!has_second) return;
  const ComputeSetId second = graph_.addComputeSet(name_ + stage + "/Reduce_Second_Stage");
  program_.add(execute(second));
  for (const TileStage& tile : tiles) addSecond(second, tile, data);
}

PlacedPartials PlannedStages::addPartials(const std::string& stage, ElementType type,
                                          const std::vector<StageShare>& shares) {
  std::uint64_t elements = 0;
  for (const StageShare& share : shares) {
    for (const ColumnPattern& pattern : share.reduction.patterns) elements += pattern.columns;
  }
  const Tensor all = graph_.addVariable(type, {elements}, name_ + stage + "/partials");
  PlacedPartials placed;
  std::uint64_t offset = 0;
  for (const StageShare& share : shares) {
    for (const std::vector<StageColumns>& columns : share.columns) {
      const StageColumns& own = columns.front();
      const std::uint64_t width = own.end - own.begin;
      graph_.setTileMapping(all.slice(offset, offset + width, 0), share.tile);
      placed.add(share.tile, {own.begin, own.end, all.pieces().front().variable, offset});
      offset += width;
    }
  }
  return placed;
}

/// Adds the variable of what the first step of some tiles leaves to the second.
void PlannedStages::addBetween(const std::string& stage, std::vector<TileStage>& tiles) {
  std::uint64_t elements = 0;
  for (const TileStage& tile : tiles) {
    for (const ColumnPattern& pattern : tile.work.second.patterns) {
      elements += pattern.columns * pattern.rows();
    }
  }
  if (elements == 0) return;
  const ElementType type = tiles.front().share.reduction.stage.in_vertex;
  const Tensor all = graph_.addVariable(type, {elements}, name_ + stage + "/Reduce/pieces");
  std::uint64_t offset = 0;
  for (TileStage& tile : tiles) {
    for (const ColumnPattern& pattern : tile.work.second.patterns) {
      const std::uint64_t end = offset + pattern.columns * pattern.rows();
      graph_.setTileMapping(all.slice(offset, end, 0), tile.share.tile);
      tile.between.push_back({all.pieces().front().variable, offset, pattern.columns});
      offset = end;
    }
  }
}

void PlannedStages::addFirst(ComputeSetId set, const TileStage& tile, const StageData& data) {
  const auto outOf = [&](const PatternPart& part) -> View {
    if (!part.between) return outputsOf(tile.share, {part.pattern, 0}, part, data);
    const Block& block = tile.between[part.between->pattern];
    return {contiguous(block.variable, block.offset + part.between->offset, part.columns())};
  };
  for (const auto& vertices : tile.work.first.workers) {
    for (const ReduceVertexPlan& vertex : vertices) {
      for (const PatternPart& part : vertex.parts) {
        addVertex(set, tile.share.tile, typeOf(vertex, part),
                  {outOf(part), data.partials(tile.share, part)});
      }
    }
  }
}

void PlannedStages::addSecond(ComputeSetId set, const TileStage& tile, const StageData& data) {
  for (const auto& vertices : tile.work.second.workers) {
    for (const ReduceVertexPlan& vertex : vertices) {
      for (const PatternPart& part : vertex.parts) {
        const Block& block = tile.between[part.pattern];
        View partials;
        for (std::uint64_t row = part.first; row < part.last; ++row) {
          const std::uint64_t at = block.offset + row * block.columns + part.begin;
          appendRegular(partials, contiguous(block.variable, at, part.columns()));
        }
        addVertex(set, tile.share.tile, typeOf(vertex, part),
                  {outputsOf(tile.share, tile.work.between[part.pattern], part, data), partials});
      }
    }
  }
}

/// The outputs of a part whose columns are those of a pattern of the tile, from `from.first_column`
/// on.
View PlannedStages::outputsOf(const StageShare& share, const IntermediatePattern& from,
                              const PatternPart& part, const StageData& data) {
  std::uint64_t column = from.first_column + part.begin;
  for (const StageColumns& own : share.columns[from.pattern]) {
    const std::uint64_t width = own.end - own.begin;
    if (column >= width) {
      column -= width;
      continue;
    }
    check(column + part.columns() <= width, "outputs of a vertex side by side");
    return data.outputs(share.tile, own.begin + column, own.begin + column + part.columns());
  }
  throw InternalError("a part beyond the columns of its tile");
}

void PlannedStages::addVertex(ComputeSetId set, TileId tile,
                              const std::shared_ptr<const VertexType>& type,
                              std::pair<View, View> fields) {
  graph_.addVertex(set, {type, tile, 1, {{std::move(fields.first)}, {std::move(fields.second)}}});
}

std::shared_ptr<const VertexType> PlannedStages::typeOf(const ReduceVertexPlan& vertex,
                                                        const PatternPart& part) {
  const TypeKey key{vertex.form, vertex.kind.op, vertex.kind.partials, vertex.kind.output,
                    part.rows(), part.columns(), vertex.stride};
  return types_.get(key, [&] {
    switch (vertex.form) {
      case ReduceVertexForm::SingleInput:
      case ReduceVertexForm::Continuous:
        return reduceContinuousVertex({vertex.kind, part.rows(), part.columns()});
      case ReduceVertexForm::Strided:
        return reduceRowsVertex({vertex.kind, part.rows(), part.columns(), vertex.stride});
      case ReduceVertexForm::SingleOutputs:
      case ReduceVertexForm::Regions:
        break;
    }
    return reduceRowsVertex({vertex.kind, part.rows(), part.columns(), kNoStride});
  });
}

}  // namespace ipusim::workloads
