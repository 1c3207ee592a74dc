// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planned_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "sim/compile/compile.h"
#include "sim/execute/execute.h"
#include "sim/execute/host_access.h"
#include "tests/support/toy_machine.h"
#include "workloads/ops/reduce/planner/stage_work.h"
#include "workloads/ops/reduce/planner/vertex_choice.h"

namespace ipusim::workloads {
namespace {

using executor::Values;
using models::ReduceOp;
using testing::ElementsAre;

/// A matrix of small whole numbers on the toy machine, with more tiles where wanted.
class PlannedRowsTest : public testing::Test {
 protected:
  void useTiles(std::uint32_t tiles) { machine_.tiles = tiles; }

  /// A matrix that is mapped linearly over a chip.
  void useGc200(ElementType type, const Shape& shape) {
    machine_ = models::gc200Sdk();
    matrix_ = graph_.addVariable(type, shape, "matrix", Lifetime::Always);
    const Tensor flat = matrix_.reshape({matrix_.elements()});
    for (const auto& [tile, begin, end] : mappedLinearly(machine_, type, flat.elements())) {
      graph_.setTileMapping(flat.slice(begin, end, 0), tile);
    }
  }

  /// Spreads the elements in pieces of `piece` elements from tile to tile.
  Tensor matrixOf(ElementType type, const Shape& shape, std::uint64_t piece) {
    matrix_ = graph_.addVariable(type, shape, "matrix", Lifetime::Always);
    const Tensor flat = matrix_.reshape({matrix_.elements()});
    for (std::uint64_t begin = 0; begin < flat.elements(); begin += piece) {
      const std::uint64_t end = std::min(begin + piece, flat.elements());
      graph_.setTileMapping(flat.slice(begin, end, 0),
                            TileId(static_cast<std::uint32_t>(begin / piece * 7 % machine_.tiles)));
    }
    return matrix_;
  }

  /// The reduced rows or columns, from the memories of the tiles.
  Values reduced(ReduceOp op) {
    constexpr unsigned kNumbers = 5;  // halves hold all sums of 384 of them
    std::mt19937 random(1);
    values_.clear();
    for (std::uint64_t i = 0; i < matrix_.elements(); ++i)
      values_.push_back(static_cast<double>(random() % kNumbers));
    const Tensor result = output_piece_ == 0 ? reducedByPlan(op) : reducedInto(op);
    const compiler::Executable executable = compiler::compile(graph_, machine_);
    executor::TileMemories memories(executable);
    executor::HostAccess host(graph_, executable, memories);
    host.write({"matrix", matrix_}, values_);
    executor::execute(executable, memories);
    return host.read({"result", result});
  }

  Tensor reducedByPlan(ReduceOp op) {
    const auto reduce_by_plan = along_ == Along::Rows ? reduceRowsByPlan : reduceColumnsByPlan;
    return reduce_by_plan(graph_, machine_, {op, matrix_}, {"sum", Lifetime::Always},
                          graph_.program());
  }

  /// Reduces into an output in pieces of `output_piece_` elements, from the last tile on.
  Tensor reducedInto(ReduceOp op) {
    const std::uint64_t columns = matrix_.shape().back();
    const Tensor output = graph_.addVariable(matrix_.type(), {columns}, "output", Lifetime::Always);
    for (std::uint64_t begin = 0; begin < columns; begin += output_piece_) {
      const std::uint64_t end = std::min(begin + output_piece_, columns);
      const auto piece = static_cast<std::uint32_t>(begin / output_piece_);
      graph_.setTileMapping(output.slice(begin, end, 0),
                            TileId(machine_.tiles - 1 - piece % machine_.tiles));
    }
    reduceRowsInto(graph_, machine_, {{op, matrix_}, output}, "sum", graph_.program());
    return output;
  }

  /// The reduced numbers by a plain loop.
  [[nodiscard]] Values plainly(ReduceOp op) const {
    const std::size_t columns = matrix_.shape()[1];
    Values results(along_ == Along::Rows ? columns : matrix_.shape()[0]);  // no number is negative
    for (std::size_t i = 0; i < values_.size(); ++i) {
      double& result = results[along_ == Along::Rows ? i % columns : i / columns];
      result = op == ReduceOp::Add ? result + values_[i] : std::max(result, values_[i]);
    }
    return results;
  }

  void expectReduced(ReduceOp op) {
    const Values results = reduced(op);
    EXPECT_EQ(results, plainly(op));
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const ComputeSet& set : graph_.computeSets()) names.push_back(set.name);
    return names;
  }

  [[nodiscard]] std::uint64_t verticesIn(std::size_t compute_set) const {
    std::uint64_t vertices = 0;
    for (const VertexFamily& family : graph_.computeSets().at(compute_set).families) {
      vertices += family.count;
    }
    return vertices;
  }
  /// Slots of all vertices.
  [[nodiscard]] Cycles slotsIn(std::size_t compute_set) const {
    Cycles slots(0);
    for (const VertexFamily& family : graph_.computeSets().at(compute_set).families) {
      slots += family.type->cycles(machine_) * family.count;
    }
    return slots;
  }
  [[nodiscard]] std::size_t tilesOf(std::size_t compute_set) const {
    std::set<TileId> tiles;
    for (const VertexFamily& family : graph_.computeSets().at(compute_set).families) {
      tiles.insert(family.tile);
    }
    return tiles.size();
  }

  enum class Along : std::uint8_t { Rows, Columns };
  Machine machine_ = models::toyMachine();
  std::uint64_t output_piece_ = 0;  ///< no output is given
  Along along_ = Along::Rows;
  Graph graph_;
  Tensor matrix_;
  Values values_;
};

TEST_F(PlannedRowsTest, TakeOneStepWhereEachColumnIsOnATile) {
  matrixOf(ElementType::Float, {6, 10}, 60);
  expectReduced(ReduceOp::Add);
  EXPECT_THAT(names(), ElementsAre("sum/Reduce"));
}

TEST_F(PlannedRowsTest, AreReducedOnTheirTilesFirst) {
  matrixOf(ElementType::Float, {40, 5}, 50);
  expectReduced(ReduceOp::Add);
  EXPECT_THAT(names(), ElementsAre("sum/ReduceOnTile/InToIntermediateNoExchange/Reduce",
                                   "sum/ReduceFinalStage/IntermediateToOutput/Reduce"));
}

TEST_F(PlannedRowsTest, TakeASecondStepWhereWorkersShareRows) {
  matrixOf(ElementType::Float, {4000, 3}, 12000);
  expectReduced(ReduceOp::Add);
  EXPECT_THAT(names(), ElementsAre("sum/Reduce", "sum/Reduce_Second_Stage"));
  EXPECT_EQ(verticesIn(0), machine_.workers_per_tile);
  EXPECT_EQ(verticesIn(1), 1U);
}

TEST_F(PlannedRowsTest, AreReducedWhereTheOutputIsGiven) {
  useTiles(200);
  matrixOf(ElementType::Float, {30, 40}, 40);
  output_piece_ = 1;
  expectReduced(ReduceOp::Add);
  EXPECT_THAT(names(), ElementsAre("sum/ReduceFinalStage/IntermediateToOutput/Reduce"));
  EXPECT_EQ(tilesOf(0), 40U);
}

TEST_F(PlannedRowsTest, AreReducedOnAllTilesWhereAFewAreGivenTheOutput) {
  useTiles(200);
  for (const ElementType type : {ElementType::Half, ElementType::Float}) {
    graph_ = Graph();
    matrixOf(type, {30, 4000}, 4000);
    output_piece_ = 4000;
    expectReduced(ReduceOp::Add);
    EXPECT_GT(tilesOf(0), 100U);
  }
}

TEST_F(PlannedRowsTest, HaveIntermediateStagesWhereColumnsAreOnManyTiles) {
  useTiles(160);
  matrixOf(ElementType::Float, {160, 16}, 16);
  expectReduced(ReduceOp::Add);
  EXPECT_THAT(names(), ElementsAre("sum/ReduceStage0/IntermediateToIntermediate/Reduce",
                                   "sum/ReduceFinalStage/IntermediateToOutput/Reduce"));
}

/// Slots of all vertices of a stage, as planned.
Cycles slotsOf(const Machine& machine, const std::vector<StageShare>& shares) {
  Cycles slots(0);
  for (const StageShare& share : shares) {
    const TileWork work = planTileWork(machine, share.reduction);
    for (const TileStep* step : {&work.first, &work.second}) {
      for (const auto& vertices : step->workers) {
        for (const auto& vertex : vertices) {
          slots += reduceVertexCycles(machine, step->patterns, vertex);
        }
      }
    }
  }
  return slots;
}

TEST_F(PlannedRowsTest, HaveThePublishedStagesOnAChip) {
  // As published: 1408 reductions of 34 or 35 rows, and then 128 tiles with 11 partials a column.
  useGc200(ElementType::Half, {384, 1024});
  expectReduced(ReduceOp::Add);
  ASSERT_EQ(names().size(), 2U);
  EXPECT_EQ(tilesOf(0), 1408U);
  EXPECT_EQ(tilesOf(1), 128U);
}

TEST_F(PlannedRowsTest, HaveVerticesOfThePlannedCycles) {
  useGc200(ElementType::Half, {384, 1024});
  expectReduced(ReduceOp::Add);
  const ReduceProblem problem = reduceProblem(
      ReduceOp::Add, ElementType::Half, ElementType::Half,
      heldOfRows(1024, mappedLinearly(machine_, ElementType::Half, matrix_.elements())));
  const ReducePlan plan = planReduce(machine_, problem);
  EXPECT_EQ(slotsIn(0), slotsOf(machine_, intermediateShares(plan.intermediate.at(0))));
  EXPECT_EQ(slotsIn(1), slotsOf(machine_, finalShares(machine_, problem, plan.final)));
}

TEST_F(PlannedRowsTest, OfHalvesAreSummedInFloats) {
  matrixOf(ElementType::Half, {60, 30}, 30);
  expectReduced(ReduceOp::Add);
  EXPECT_EQ(graph_.variable(VariableId(1)).type, ElementType::Half);  // the result
}

TEST_F(PlannedRowsTest, AreCastFirstWhereATileSendsASingleHalf) {
  matrixOf(ElementType::Half, {4, 1}, 1);
  expectReduced(ReduceOp::Add);
  EXPECT_EQ(names().front(), "sum/PreCast");
}

TEST_F(PlannedRowsTest, OfRunsHaveOneVertexForEachWorker) {
  along_ = Along::Columns;
  matrixOf(ElementType::Float, {12, 5}, 60);
  expectReduced(ReduceOp::Add);
  EXPECT_THAT(names(), ElementsAre("sum/Reduce"));
  EXPECT_EQ(verticesIn(0), 6U);
  EXPECT_EQ(graph_.computeSets()[0].families[0].type->name,
            "popops::ContinuousReduce<popops::ReduceAdd,float,float>");
}

TEST_F(PlannedRowsTest, OfOneRowAreCopied) {
  matrixOf(ElementType::Float, {1, 37}, 10);
  expectReduced(ReduceOp::Add);
  EXPECT_TRUE(names().empty());
}

TEST_F(PlannedRowsTest, HaveTheirOutputsSpreadLinearly) {
  matrixOf(ElementType::Float, {4, 64}, 64);
  expectReduced(ReduceOp::Add);
  // Eight floats at least, and sixteen on each of the four tiles.
  const auto& intervals = graph_.variable(VariableId(1)).mapping.intervals();
  ASSERT_EQ(intervals.size(), 4U);
  EXPECT_EQ(intervals[1].begin, 16U);
  EXPECT_EQ(intervals[1].tile, TileId(1));
}

struct AnyRows {
  std::uint32_t tiles;
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t piece;
};

class PlannedRowsOfAnyLayout : public PlannedRowsTest,
                               public testing::WithParamInterface<AnyRows> {};

TEST_P(PlannedRowsOfAnyLayout, AreReducedAsByAPlainLoop) {
  const AnyRows& rows = GetParam();
  useTiles(rows.tiles);
  for (const Along along : {Along::Rows, Along::Columns}) {
    for (const ElementType type : {ElementType::Half, ElementType::Float}) {
      for (const ReduceOp op : {ReduceOp::Add, ReduceOp::Maximum}) {
        SCOPED_TRACE(nameOf(type));
        graph_ = Graph();
        along_ = along;
        const bool is_rows = along == Along::Rows;
        matrixOf(type, is_rows ? Shape{rows.rows, rows.columns} : Shape{rows.columns, rows.rows},
                 rows.piece);
        expectReduced(op);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, PlannedRowsOfAnyLayout,
                         testing::Values(AnyRows{4, 13, 1, 1}, AnyRows{4, 13, 4, 3},
                                         AnyRows{4, 13, 9, 7}, AnyRows{4, 130, 3, 60},
                                         AnyRows{4, 150, 2, 80}, AnyRows{4, 13, 30, 10},
                                         AnyRows{4, 60, 30, 64}, AnyRows{4, 13, 30, 200},
                                         AnyRows{4, 150, 1, 50}, AnyRows{200, 150, 1, 1},
                                         AnyRows{200, 150, 3, 3}, AnyRows{200, 150, 7, 5},
                                         AnyRows{200, 120, 40, 30}, AnyRows{200, 140, 64, 64},
                                         AnyRows{200, 140, 33, 17}));

}  // namespace
}  // namespace ipusim::workloads
