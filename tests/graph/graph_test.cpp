// SPDX-License-Identifier: Apache-2.0
#include "ipusim/graph.h"

#include <gmock/gmock.h>

#include <string>

#include "ipusim/error.h"
#include "ipusim/verify.h"
#include "tests/support/test_vertices.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {

namespace {

using models::toyMachine;
using testing::AllOf;
using testing::HasSubstr;

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
  const Move& move = graph.copies()[0].moves[0].first;
  EXPECT_EQ(move.walk.levels[0].stride.from, VariableElements(3));
  EXPECT_EQ(move.walk.levels[0].stride.to, VariableElements(1));
}

TEST(Graph, AVariableHasTheShapeOfItsTensorOrTheOneThatItStandsFor) {
  Graph graph;
  graph.addVariable(ElementType::Float, {4, 6}, "matrix");
  const Tensor blocks = graph.addVariable(ElementType::Half, {32}, "blocks");
  graph.addConstant(ElementType::Float, {2, 3}, 1, "ones");
  graph.setShape(blocks.slice(0, 8, 0), {5, 6});  // two elements are padding
  EXPECT_EQ(graph.variables()[0].shape, Shape({4, 6}));
  EXPECT_EQ(graph.variables()[1].shape, Shape({5, 6}));
  EXPECT_EQ(graph.variables()[1].elements, 32U);
  EXPECT_EQ(graph.variables()[2].shape, Shape({2, 3}));
}

TEST(GraphErrors, RefuseAShapeOfMoreElementsThanTheVariableHas) {
  Graph graph;
  const Tensor blocks = graph.addVariable(ElementType::Half, {32}, "blocks");
  EXPECT_EQ(graphErrorOf([&] {
              graph.setShape(blocks, {3, 11});
            }),
            "variable blocks: wanted a shape of at most 32 elements, found (3, 11)");
  const Tensor other = graph.addVariable(ElementType::Half, {32}, "other");
  EXPECT_EQ(graphErrorOf([&] {
              graph.setShape(concat({blocks, other}, 0), {2, 32});
            }),
            "wanted a tensor in one variable to set its shape");
}

TEST(GraphErrors, NameTheVertexAndTheFieldOfAnotherSize) {
  Graph graph;
  const Tensor data = graph.addVariable(ElementType::Float, {8}, "data");
  const auto set = graph.addComputeSet("set");
  const auto add = [&](std::uint64_t elements, std::vector<Connection> fields) {
    return graphErrorOf([&] {
      graph.addVertices(set, {shared(scaleVertex(2.0F, elements)), TileId(3), 1, fields});
    });
  };
  EXPECT_THAT(add(4, {{data.view()}, {data.slice(0, 4, 0).view()}}),
              HasSubstr("of compute set set on tile 3: field in: wanted 4 elements, found 8"));
  EXPECT_THAT(add(8, {{data.view()}}), HasSubstr("wanted 2 fields, found 1"));
}

TEST(GraphErrors, NameTheShapesThatDiffer) {
  Graph graph;
  const Tensor wide = graph.addVariable(ElementType::Float, {2, 3}, "wide");
  const Tensor tall = graph.addVariable(ElementType::Float, {3, 2}, "tall");
  EXPECT_EQ(graphErrorOf([&] { (void)graph.copy(wide, tall, "turn"); }),
            "copy turn: wanted tensors of one shape, found (2, 3) and (3, 2)");
  EXPECT_EQ(graphErrorOf([&] {
              (void)concat({wide, tall}, 0);
            }),
            "concat along dimension 0: wanted tensors that agree in all others, found (2, 3) and "
            "(3, 2)");
  EXPECT_EQ(graphErrorOf([&] { (void)wide.slice(1, 4, 1); }),
            "slice of a tensor (2, 3): wanted a range of it, found [1, 4) of dimension 1");
  EXPECT_EQ(graphErrorOf([&] {
              (void)wide.dimShuffle({0, 0});
            }),
            "dimShuffle of a tensor (2, 3): wanted each dimension once, found 0, 0");
}

TEST(Verify, NamesTheVariableThatIsNotMapped) {
  Graph graph;
  const Tensor data = graph.addVariable(ElementType::Float, {8}, "data");
  graph.setTileMapping(data.slice(0, 5, 0), TileId(0));
  EXPECT_EQ(graphErrorOf([&] { verify(graph, 4); }),
            "variable data: wanted a tile for each of its 8 elements, found none for element 5");
}

TEST(Verify, NamesTheTileThatTheMachineHasNot) {
  Graph graph;
  graph.setTileMapping(graph.addVariable(ElementType::Float, {8}, "data"), TileId(4));
  EXPECT_EQ(graphErrorOf([&] { verify(graph, 4); }),
            "variable data: wanted a tile below 4, found tile 4");
}

TEST(Verify, NamesTwoWritersOfAnElement) {
  Graph graph;
  const Tensor data = graph.addVariable(ElementType::Float, {8}, "data");
  const Tensor out = graph.addVariable(ElementType::Float, {4, 2}, "out");
  graph.setTileMapping(data, TileId(0));
  graph.setTileMapping(out, TileId(0));
  const auto set = graph.addComputeSet("scale");
  const auto half = [&](std::uint64_t begin, const Tensor& to, std::uint32_t tile) {
    graph.addVertices(set, {shared(scaleVertex(2.0F, 4)),
                            TileId(tile),
                            1,
                            {{data.slice(begin, begin + 4, 0).view()}, {to.view()}}});
  };
  half(0, out.slice(0, 1, 1), 1);  // every other element
  half(4, out.slice(1, 2, 1), 2);
  EXPECT_NO_THROW(verify(graph, 4));
  half(4, out.slice(2, 4, 0), 3);
  EXPECT_THAT(graphErrorOf([&] { verify(graph, 4); }),
              AllOf(HasSubstr("compute set scale: wanted one writer for element 4 of variable out"),
                    HasSubstr("on tile 1"), HasSubstr("on tile 3")));
}

TEST(Verify, TakesAFamilyWhoseVerticesWriteSideBySide) {
  Graph graph;
  const Tensor data = graph.addVariable(ElementType::Float, {8}, "data");
  graph.setTileMapping(data, TileId(0));
  const auto family = [&](std::uint64_t step) {
    const auto set = graph.addComputeSet("scale");
    const View first = data.slice(0, 4, 0).view();
    graph.addVertices(set,
                      {shared(scaleVertex(2.0F, 4)), TileId(0), 2, {{first, step}, {first, step}}});
  };
  family(4);
  EXPECT_NO_THROW(verify(graph, 1));
  family(3);
  EXPECT_THAT(graphErrorOf([&] { verify(graph, 1); }), HasSubstr("element 3 of variable data"));
}

}  // namespace ipusim::workloads
