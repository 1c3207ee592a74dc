// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/reduce/placed_partials.h"
#include "workloads/ops/reduce/planner/stage_work.h"
#include "workloads/vertices/type_cache.h"

// Compute sets of a planned reduction.

namespace ipusim::workloads {

/// What a stage reads and writes.
struct StageData {
  /// Rows of columns of a pattern of the tile, as its vertices see the pattern.
  std::function<View(const StageShare&, const PatternPart&)> partials;
  /// Columns [begin, end) of the stage, on the tile that reduces them.
  std::function<View(TileId, std::uint64_t, std::uint64_t)> outputs;
};

/// Adds the stages of one reduction. The arguments outlive this object.
class PlannedStages {
 public:
  PlannedStages(Graph& graph, const Architecture& machine, std::string name, Program& program)
      : graph_(graph), machine_(machine), name_(std::move(name)), program_(program) {}

  /// Adds the compute sets of a stage: one, or two if a tile works in two steps.
  void addStage(const std::string& stage, const std::vector<StageShare>& shares,
                const StageData& data);

  /// Adds a variable with a partial for each column of each share, on its tile.
  PlacedPartials addPartials(const std::string& stage, ElementType type,
                             const std::vector<StageShare>& shares);

 private:
  /// A block of elements between the two steps of a tile.
  struct Block {
    VariableId variable;
    std::uint64_t offset;
    std::uint64_t columns;
  };
  using Blocks = std::vector<Block>;  // by pattern of the second step
  /// A tile's part of a stage.
  struct TileStage {
    const StageShare& share;
    TileWork work;
    Blocks between;
  };

  void addBetween(const std::string& stage, std::vector<TileStage>& tiles);
  void addFirst(ComputeSetId set, const TileStage& tile, const StageData& data);
  void addSecond(ComputeSetId set, const TileStage& tile, const StageData& data);
  void addVertex(ComputeSetId set, TileId tile, const std::shared_ptr<const VertexType>& type,
                 std::pair<View, View> fields);
  std::shared_ptr<const VertexType> typeOf(const ReduceVertexPlan& vertex, const PatternPart& part);
  static View outputsOf(const StageShare& share, const IntermediatePattern& from,
                        const PatternPart& part, const StageData& data);

  using TypeKey = std::tuple<ReduceVertexForm, models::ReduceOp, ElementType, ElementType,
                             std::uint64_t, std::uint64_t, std::uint64_t>;
  Graph& graph_;
  const Architecture& machine_;
  std::string name_;
  Program& program_;
  TypeCache<TypeKey> types_;
};

}  // namespace ipusim::workloads
