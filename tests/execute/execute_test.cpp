// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/execute.h"

#include <gmock/gmock.h>

#include "tests/execute/toy_run.h"
#include "tests/support/test_vertices.h"

namespace ipusim::executor {

using compiler::Executable;
using testing::ElementsAre;
using workloads::accumulateVertex;
using workloads::addVectorsVertex;
using workloads::scaleVertex;
using workloads::weightedSumVertex;

TEST(Execute, AddsWhatLiesOnTheVertexTile) {
  ToyRun toy;
  const Tensor a = toy.on(2, {3});
  const Tensor b = toy.on(2, {3});
  const Tensor out = toy.on(2, {3});
  toy.give(a, {1, 2, 3});
  toy.give(b, {10, 20, 30});
  toy.add(addVectorsVertex(3), 2, {{a.view()}, {b.view()}, {out.view()}});
  const Executable executable = toy.compile();
  EXPECT_EQ(executable.lowered.steps.size(), 1U);
  EXPECT_THAT(toy.result(executable, out), ElementsAre(11, 22, 33));
}

TEST(Execute, BringsRemoteInputsByAnExchangeBefore) {
  ToyRun toy;
  const Tensor a = toy.on(0, {3});
  const Tensor b = toy.on(1, {3});
  const Tensor out = toy.on(2, {3});
  toy.give(a, {1, 2, 3});
  toy.give(b, {10, 20, 30});
  toy.add(addVectorsVertex(3), 2, {{a.view()}, {b.view()}, {out.view()}});
  const Executable executable = toy.compile();
  EXPECT_EQ(executable.lowered.steps.at(1).kind, StepKind::Exchange);
  EXPECT_EQ(executable.lowered.steps.at(2).kind, StepKind::Compute);
  EXPECT_THAT(toy.result(executable, out), ElementsAre(11, 22, 33));
}

TEST(Execute, TakesRemoteOutputsAwayByAnExchangeAfter) {
  ToyRun toy;
  const Tensor in = toy.on(3, {4});
  const Tensor out = toy.spread({4}, 1);
  toy.give(in, {1, 2, 3, 4});
  toy.add(scaleVertex(2, 4), 3, {{in.view()}, {out.view()}});
  const Executable executable = toy.compile();
  EXPECT_EQ(executable.lowered.steps.at(0).kind, StepKind::Compute);
  EXPECT_EQ(stepsOf(executable, StepKind::Exchange), 1U);
  EXPECT_THAT(toy.result(executable, out), ElementsAre(2, 4, 6, 8));
}

TEST(Execute, ReadsAndWritesARemoteInOutField) {
  ToyRun toy;
  const Tensor sum = toy.spread({4}, 1);
  const Tensor in = toy.on(0, {4});
  toy.give(sum, {1, 2, 3, 4});
  toy.give(in, {10, 20, 30, 40});
  toy.add(accumulateVertex(4), 1, {{sum.view()}, {in.view()}});
  EXPECT_THAT(toy.result(sum), ElementsAre(11, 22, 33, 44));
}

TEST(Execute, CopiesATransposedViewBetweenMappings) {
  ToyRun toy;
  const Tensor from = toy.spread({2, 3}, 1);
  const Tensor to = toy.spread({3, 2}, 2);
  toy.give(from, {1, 2, 3, 4, 5, 6});
  toy.graph.program().add(toy.graph.copy(from.dimShuffle({1, 0}), to, "transpose"));
  const Executable executable = toy.compile();
  EXPECT_EQ(stepsOf(executable, StepKind::Exchange), 1U);
  EXPECT_EQ(stepsOf(executable, StepKind::OnTileCopy), 1U);
  EXPECT_THAT(toy.result(executable, to), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(Execute, BroadcastsOneMessageToAllTiles) {
  ToyRun toy;
  const Tensor from = toy.on(0, {2});
  const Tensor to = toy.spread({8}, 2);
  toy.give(from, {5, 7});
  const auto set = toy.graph.addComputeSet("scale");
  for (std::uint32_t t = 0; t < ToyRun::toyTiles(); ++t) {
    toy.graph.addVertices(set, {shared(scaleVertex(static_cast<float>(t + 1), 2)),
                                TileId(t),
                                1,
                                {{from.view()}, {to.slice(2 * t, 2 * t + 2, 0).view()}}});
  }
  toy.graph.program().add(execute(set));
  const Executable executable = toy.compile();
  EXPECT_EQ(executable.lowered.steps.at(1).messages.size(), 1U);
  EXPECT_THAT(toy.result(executable, to), ElementsAre(5, 7, 10, 14, 15, 21, 20, 28));
}

TEST(Execute, StepsAFamilyThroughItsData) {
  ToyRun toy;
  const Tensor a = toy.on(1, {2, 3});
  const Tensor b = toy.on(1, {3, 2});
  const Tensor out = toy.on(1, {3, 2});
  toy.give(a, {1, 2, 3, 4, 5, 6});
  toy.give(b, {10, 20, 30, 40, 50, 60});
  // Vertex v takes column v of a, whose elements are 3 apart, and row v of b.
  const Tensor columns = a.dimShuffle({1, 0});
  toy.add(addVectorsVertex(2), 1,
          {{columns.slice(0, 1, 0).view(), 1},
           {b.slice(0, 1, 0).view(), 2},
           {out.slice(0, 1, 0).view(), 2}},
          3);
  EXPECT_THAT(toy.result(out), ElementsAre(11, 24, 32, 45, 53, 66));
}

TEST(Execute, SharesARemoteInputAmongTheVerticesOfAFamily) {
  ToyRun toy;
  const Tensor a = toy.on(0, {2});
  const Tensor b = toy.on(1, {6});
  const Tensor out = toy.on(1, {6});
  toy.give(a, {1, 2});
  toy.give(b, {10, 20, 30, 40, 50, 60});
  toy.add(addVectorsVertex(2), 1,
          {{a.view(), 0}, {b.slice(0, 2, 0).view(), 2}, {out.slice(0, 2, 0).view(), 2}}, 3);
  EXPECT_THAT(toy.result(out), ElementsAre(11, 22, 31, 42, 51, 62));
}

TEST(Execute, RunsTheBodyOfARepeatAsOftenAsItSays) {
  ToyRun toy;
  const Tensor in = toy.on(0, {2});
  const Tensor sum = toy.on(0, {2}, Lifetime::Temporary);
  const Tensor out = toy.on(0, {2});
  toy.give(in, {1, 10});
  toy.graph.program().add(toy.graph.copy(in, sum, "start"));
  const auto set = toy.graph.addComputeSet("accumulate");
  toy.graph.addVertices(set,
                        {shared(accumulateVertex(2)), TileId(0), 1, {{sum.view()}, {in.view()}}});
  toy.graph.program().add(repeat(5, {execute(set)}));
  toy.graph.program().add(toy.graph.copy(sum, out, "end"));
  EXPECT_THAT(toy.result(out), ElementsAre(6, 60));
}

TEST(Execute, CarriesAValueThroughExchangesOfNestedLoops) {
  ToyRun toy;
  const Tensor in = toy.spread({4}, 1);
  const Tensor sum = toy.on(2, {4}, Lifetime::Temporary);
  const Tensor twice = toy.on(1, {4}, Lifetime::Temporary);
  const Tensor out = toy.on(0, {4});
  toy.give(in, {1, 2, 3, 4});
  const auto scale = toy.graph.addComputeSet("scale");
  toy.graph.addVertices(
      scale, {shared(scaleVertex(2.0F, 4)), TileId(1), 1, {{in.view()}, {twice.view()}}});
  const auto add = toy.graph.addComputeSet("add");
  toy.graph.addVertices(
      add, {shared(accumulateVertex(4)), TileId(2), 1, {{sum.view()}, {twice.view()}}});
  auto inner = repeat(3, {execute(scale), execute(add)});
  toy.graph.program().add(toy.graph.copy(in, sum, "start"));
  toy.graph.program().add(repeat(2, {inner}));
  toy.graph.program().add(toy.graph.copy(sum, out, "end"));
  EXPECT_THAT(toy.result(out), ElementsAre(13, 26, 39, 52));
}

TEST(Execute, CarriesAVariableThatAFieldWithOthersWritesInPart) {
  ToyRun toy;
  const Tensor in = toy.on(0, {4});
  const Tensor half = toy.on(0, {4}, Lifetime::Temporary);
  const Tensor other = toy.on(0, {2}, Lifetime::Temporary);
  const Tensor sum = toy.on(0, {4});
  toy.give(in, {1, 2, 3, 4});
  toy.give(sum, {0, 0, 0, 0});
  const auto scale = toy.graph.addComputeSet("scale");
  const Tensor written = concat({half.slice(0, 2, 0), other}, 0);
  toy.graph.addVertices(
      scale, {shared(scaleVertex(10.0F, 4)), TileId(0), 1, {{in.view()}, {written.view()}}});
  const auto add = toy.graph.addComputeSet("add");
  toy.graph.addVertices(add,
                        {shared(accumulateVertex(4)), TileId(0), 1, {{sum.view()}, {half.view()}}});
  toy.graph.program().add(toy.graph.copy(in, half, "start"));
  toy.graph.program().add(
      repeat(2, {execute(scale), execute(add), toy.graph.copy(other, in.slice(0, 2, 0), "back")}));
  // 10 x (1, 2), then 10 x (30, 40) from "other", which holds in[2:4] at first.
  EXPECT_THAT(toy.result(sum), ElementsAre(10 + 300, 20 + 400, 2 * 3, 2 * 4));
}

TEST(Execute, GathersAnInputThatIsScatteredOverItsTile) {
  ToyRun toy;
  const Tensor in = toy.on(0, {3, 4});
  const Tensor out = toy.on(0, {1});
  toy.give(in, {1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400});
  const Tensor column = in.slice(1, 2, 1);
  toy.add(weightedSumVertex({{1, 3}}), 0, {{column.view()}, {out.view()}});
  const Executable executable = toy.compile();
  EXPECT_EQ(executable.lowered.steps.at(0).kind, StepKind::OnTileCopy);
  EXPECT_THAT(toy.result(executable, out), ElementsAre(222));
}

TEST(Execute, PointsSingleElementEdgesStraightAtScatteredData) {
  ToyRun toy;
  const Tensor in = toy.on(0, {3, 4});
  const Tensor out = toy.on(0, {1});
  toy.give(in, {1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400});
  const Tensor column = in.slice(1, 2, 1);
  toy.add(weightedSumVertex({{3, 1}}), 0, {{column.view()}, {out.view()}});
  const Executable executable = toy.compile();
  EXPECT_EQ(executable.lowered.steps.size(), 1U);
  EXPECT_THAT(toy.result(executable, out), ElementsAre(1 * 2 + 2 * 20 + 3 * 200));
}

TEST(Execute, NumbersTheEdgesOfUnlikeGroupsThrough) {
  ToyRun toy;
  const Tensor in = toy.on(1, {6});
  const Tensor out = toy.on(1, {2});
  toy.give(in, {1, 2, 3, 4, 5, 6});
  toy.add(weightedSumVertex({{2, 1}, {1, 4}}), 1, {{in.view()}, {out.slice(0, 1, 0).view()}});
  toy.add(weightedSumVertex({{1, 4}, {2, 1}}), 1, {{in.view()}, {out.slice(1, 2, 0).view()}});
  EXPECT_THAT(toy.result(out), ElementsAre(1 + 2 * 2 + 3 * 18, 10 + 2 * 5 + 3 * 6));
}

TEST(Execute, KeepsTheOrderOfAFieldThatPassesFromIntervalToInterval) {
  ToyRun toy;
  const Tensor in = toy.graph.addVariable(ElementType::Float, {2, 5}, "in", Lifetime::Always);
  const Tensor left = in.slice(0, 3, 1);
  toy.graph.setTileMapping(in, TileId(1));
  toy.graph.setTileMapping(left.slice(0, 1, 0), TileId(0));
  toy.graph.setTileMapping(left.slice(1, 2, 0), TileId(0));
  const Tensor out = toy.on(0, {1});
  toy.give(left, {1, 10, 100, 2, 20, 200});
  toy.add(weightedSumVertex({{6, 1}}), 0, {{left.dimShuffle({1, 0}).view()}, {out.view()}});
  EXPECT_THAT(toy.result(out), ElementsAre(1 + 2 * 2 + 3 * 10 + 4 * 20 + 5 * 100 + 6 * 200));
}

TEST(Execute, RunsAProgramThatDoesNotFit) {
  ToyRun toy;
  const std::uint64_t elements = models::toyMachine().sram_per_tile.value() / sizeof(float);
  const Tensor in = toy.on(0, {elements});
  const Tensor out = toy.on(0, {elements});
  toy.give(in, Values(elements, 3));
  toy.add(scaleVertex(2, elements), 0, {{in.view()}, {out.view()}});
  const Executable executable = toy.compile();
  EXPECT_GT(executable.memory.tiles.at(0).bytes_over, Bytes(0));
  EXPECT_THAT(toy.result(executable, out), testing::Each(6));
}

TEST(Execute, GivesTheSameBytesWithAnyNumberOfThreads) {
  ToyRun toy;
  const Tensor in = toy.spread({8, 5}, 3);
  const Tensor out = toy.spread({5, 8}, 2);
  Values values;
  for (std::uint64_t e = 0; e < in.elements(); ++e) values.push_back(static_cast<double>(e) / 7);
  toy.give(in, values);
  toy.graph.program().add(toy.graph.copy(in.dimShuffle({1, 0}), out, "transpose"));
  const auto set = toy.graph.addComputeSet("scale");
  for (std::uint32_t t = 0; t < ToyRun::toyTiles(); ++t) {
    const Tensor to = in.reshape({40}).slice(8 * t, 8 * t + 8, 0);
    toy.graph.addVertices(
        set,
        {shared(scaleVertex(2, 8)), TileId(t), 1, {{out.slice(t, t + 1, 0).view()}, {to.view()}}});
  }
  toy.graph.program().add(
      repeat(3, {execute(set), toy.graph.copy(in.dimShuffle({1, 0}), out, "t")}));
  const Executable executable = toy.compile();
  for (const Checking checking : {Checking::Fast, Checking::Strict}) {
    const TileMemories one = toy.run(executable, checking, 1);
    for (const std::uint64_t jobs : {2U, 3U, 16U}) {
      EXPECT_TRUE(toy.run(executable, checking, jobs) == one) << jobs;
    }
  }
}

TEST(Execute, GivesTheSameBytesTwice) {
  ToyRun toy;
  const Tensor in = toy.spread({2, 3}, 1);
  const Tensor out = toy.spread({3, 2}, 2);
  toy.give(in, {1, 2, 3, 4, 5, 6});
  toy.graph.program().add(toy.graph.copy(in.dimShuffle({1, 0}), out, "transpose"));
  toy.add(scaleVertex(2, 6), 1, {{out.view()}, {in.view()}});
  EXPECT_TRUE(toy.run(toy.compile()) == toy.run(toy.compile()));
}

}  // namespace ipusim::executor
