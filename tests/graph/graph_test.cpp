// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/graph.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/support/test_vertices.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {

namespace {

using models::ElementType;
using models::toyMachine;

}  // namespace

TEST(Graph, LinearMappingPutsAtLeastAGrainOnATile) {
  Graph graph;
  const Tensor tensor = graph.addVariable(ElementType::Float, {40}, "t");
  graph.mapLinearly(tensor, toyMachine(), Bytes(64));  // 16 floats: 3 grains on 3 of 4 tiles
  const auto intervals = graph.variables()[0].mapping.intervals();
  ASSERT_EQ(intervals.size(), 3U);
  EXPECT_EQ(intervals[2].begin, 32U);
  EXPECT_EQ(intervals[2].end, 40U);
}

TEST(Graph, TheNextLinearTensorStartsWhereTheLastOneEnded) {
  Graph graph;
  for (const char* name : {"a", "b"}) {
    graph.mapLinearly(graph.addVariable(ElementType::Float, {48}, name), toyMachine(), Bytes(64));
  }
  EXPECT_EQ(graph.variables()[1].mapping.intervals()[0].tile, TileId(3));
}

TEST(Graph, CopyPairsEqualIndicesOfUnlikeViews) {
  Graph graph;
  const Tensor from = graph.addVariable(ElementType::Float, {2, 3}, "from");
  const Tensor to = graph.addVariable(ElementType::Float, {3, 2}, "to");
  graph.program().add(graph.copy(from, to.dimShuffle({1, 0}), "turn"));
  ASSERT_EQ(graph.copies()[0].moves.size(), 1U);
  const Move& move = graph.copies()[0].moves[0];
  EXPECT_EQ(move.walk.levels[0].stride.from, VariableElements(3));
  EXPECT_EQ(move.walk.levels[0].stride.to, VariableElements(1));
}

TEST(Graph, RefusesAFieldOfAnotherSize) {
  Graph graph;
  const Tensor data = graph.addVariable(ElementType::Float, {8}, "data");
  const auto set = graph.addComputeSet("set");
  EXPECT_THROW(
      graph.addVertices(
          set, {shared(scaleVertex(2.0F, 4)), TileId(0), 1, {{data.view()}, {data.slice(0, 4, 0).view()}}}),
      InternalError);
  EXPECT_THROW(graph.addVertices(set, {shared(scaleVertex(2.0F, 8)), TileId(0), 1, {{data.view()}}}),
               InternalError);
  EXPECT_THROW(
      graph.addVertices(set, {std::make_shared<Scale>(2.0F, 8), TileId(0), 1, {{data.view()}}}),
      InternalError);
}

}  // namespace ipusim::workloads
