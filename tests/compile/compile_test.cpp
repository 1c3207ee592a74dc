// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "sim/run/summarize.h"
#include "tests/compile/toy_graph.h"

namespace ipusim::compiler {

using testing::ElementsAre;

namespace {

/// A vertex that takes a cycle for each element.
VertexType scaleFor(std::uint64_t elements) {
  VertexType type = workloads::scaleVertex(2.0F, elements);
  type.cost = [elements](const Architecture&) { return Cycles(elements); };
  return type;
}

}  // namespace

TEST(Compile, LocalDataNeedsNoExchange) {
  ToyGraph toy;
  toy.graph.program().add(toy.scale(1, toy.on(1, 4), toy.on(1, 4)));
  const Executable executable = toy.compile();
  EXPECT_THAT(kindsOf(executable), ElementsAre(StepKind::Compute));
  EXPECT_EQ(run::countsOf(executable).vertices, 1U);
  EXPECT_EQ(run::countsOf(executable).edges, 2U);
}

TEST(Compile, RemoteInputsComeBeforeAndRemoteOutputsGoAfter) {
  ToyGraph toy;
  toy.graph.program().add(toy.scale(1, toy.on(0, 4), toy.on(3, 4)));
  EXPECT_THAT(kindsOf(toy.compile()),
              ElementsAre(StepKind::Sync, StepKind::Exchange, StepKind::Compute, StepKind::Sync,
                          StepKind::Exchange));
}

TEST(Compile, EqualDataForManyTilesIsOneMessage) {
  ToyGraph toy;
  const Tensor source = toy.on(0, 4);
  const auto set = toy.graph.addComputeSet("scale");
  for (std::uint32_t tile = 1; tile < 4; ++tile) {
    toy.graph.addVertices(set, {shared(workloads::scaleVertex(2.0F, 4)),
                                TileId(tile),
                                1,
                                {{source.view()}, {toy.on(tile, 4).view()}}});
  }
  toy.graph.program().add(execute(set));
  const Executable executable = toy.compile();
  ASSERT_EQ(executable.steps[1].messages.size(), 1U);
  const Messages& messages = executable.steps[1].messages;
  EXPECT_EQ(messages.receiversOf(messages.runs().front().first), 3U);
  EXPECT_EQ(executable.volumes[1].bytes, Bytes(3 * 16));
}

TEST(Compile, ACopyIsPartExchangePartVertices) {
  ToyGraph toy;
  const Tensor from = toy.graph.addVariable(ElementType::Float, {8}, "from");
  const Tensor to = toy.graph.addVariable(ElementType::Float, {8}, "to");
  toy.graph.setTileMapping(from, TileId(0));
  toy.graph.setTileMapping(to.slice(0, 4, 0), TileId(0));
  toy.graph.setTileMapping(to.slice(4, 8, 0), TileId(1));
  toy.graph.program().add(toy.graph.copy(from, to, "copy"));
  const Executable executable = toy.compile();
  EXPECT_THAT(kindsOf(executable),
              ElementsAre(StepKind::OnTileCopy, StepKind::Sync, StepKind::Exchange));
  EXPECT_EQ(run::countsOf(executable).compute_sets, 1U);
  EXPECT_EQ(executable.volumes[2].bytes, Bytes(16));
}

TEST(Compile, AnInputThatIsNotConsecutiveIsCopiedOnItsTile) {
  ToyGraph toy;
  const Tensor data = toy.on(2, 8);
  const Tensor column = data.reshape({4, 2}).slice(1, 2, 1).reshape({4});
  toy.graph.program().add(toy.scale(2, column, toy.on(2, 4)));
  EXPECT_THAT(kindsOf(toy.compile()), ElementsAre(StepKind::OnTileCopy, StepKind::Compute));
}

TEST(Compile, FamiliesThatTakeTurnsRunOneVertexEachInTurn) {
  ToyGraph toy;
  const Tensor data = toy.on(1, 64);
  const Tensor sums = toy.on(1, 64);
  const auto set = toy.graph.addComputeSet("scale");
  const auto add = [&](std::uint64_t begin, std::uint64_t size, std::uint32_t count, bool turns) {
    toy.graph.addVertices(set, {shared(scaleFor(size)),
                                TileId(1),
                                count,
                                {{data.slice(begin, begin + size, 0).view(), 16},
                                 {sums.slice(begin, begin + size, 0).view(), 16}},
                                turns});
  };
  add(0, 12, 3, false);
  add(12, 4, 2, true);
  add(60, 2, 1, false);
  toy.graph.program().add(execute(set));
  const Executable executable = toy.compile();
  const TileProgram& tile = executable.programs.tiles[1];
  ASSERT_EQ(tile.ops.size(), 1U);
  EXPECT_EQ(tile.ops[0].count, 6U);
  std::vector<Cycles> cycles;
  for (const VertexRun& run : tile.vertices) cycles.push_back(run.cycles);
  EXPECT_THAT(cycles,
              ElementsAre(Cycles(12), Cycles(4), Cycles(12), Cycles(4), Cycles(12), Cycles(2)));
  EXPECT_EQ(run::countsOf(executable).vertices, 6U);
}

TEST(Compile, AReleasedGraphCompilesToTheSameAndKeepsItsVariables) {
  ToyGraph toy;
  toy.graph.program().add(toy.graph.copy(toy.on(0, 40), toy.on(1, 40), "copy"));
  toy.graph.program().add(toy.scale(1, toy.on(1, 4), toy.on(2, 4)));
  const Executable kept = toy.compile();
  const Executable released =
      compileAndRelease(toy.graph, models::toyMachine(), TimingMode::Program);
  EXPECT_EQ(kindsOf(released), kindsOf(kept));
  EXPECT_EQ(released.programs.transmissions.size(), kept.programs.transmissions.size());
  EXPECT_EQ(toy.graph.variables().size(), 4U);
  EXPECT_TRUE(toy.graph.copies()[0].moves.empty());
  EXPECT_TRUE(toy.graph.computeSets()[0].families.empty());
}

TEST(Compile, AnEmptyComputeSetIsDropped) {
  ToyGraph toy;
  toy.graph.program().add(execute(toy.graph.addComputeSet("empty")));
  const Executable executable = toy.compile();
  EXPECT_TRUE(executable.steps.empty());
  EXPECT_EQ(run::countsOf(executable).compute_sets, 0U);
}

TEST(Compile, ARepeatsBodyIsCountedOnce) {
  ToyGraph toy;
  const Program body = toy.scale(1, toy.on(1, 4), toy.on(1, 4));
  toy.graph.program().add(repeat(5, {body}));
  const Executable executable = toy.compile();
  EXPECT_EQ(run::countsOf(executable).compute_sets, 1U);
  EXPECT_EQ(executable.programs.tiles[1].ops.size(), 3U);  // RepeatBegin, Compute, RepeatEnd
  EXPECT_EQ(executable.programs.tiles[1].ops[0].iterations, 5U);
}

TEST(Compile, AFunctionsBodyIsThereOnceHoweverOftenItIsCalled) {
  ToyGraph toy;
  const Tensor a = toy.on(0, 4);
  const Tensor b = toy.on(0, 4);
  const auto function = toy.graph.addFunction(sequence({toy.scale(0, a, b)}));
  toy.graph.program().add(call(function));
  toy.graph.program().add(call(function));
  const Executable executable = toy.compile();
  EXPECT_EQ(run::countsOf(executable).compute_sets, 1U);
  EXPECT_EQ(run::countsOf(executable).vertices, 1U);
  EXPECT_EQ(executable.positions, (std::vector<StepId>{StepId{0}, StepId{0}}));
  EXPECT_EQ(executable.programs.tiles[0].ops.size(), 2U);
}

TEST(Compile, AConstantIsACategoryOfItsOwn) {
  ToyGraph toy;
  const Tensor one = toy.graph.addConstant(ElementType::Float, {4}, 1, "one");
  toy.graph.setTileMapping(one, TileId(0));
  toy.graph.program().add(toy.scale(0, one, toy.on(0, 4)));
  const CategoryBytes bytes = toy.compile().memory.tiles[0].at_peak;
  EXPECT_EQ(bytes[static_cast<std::size_t>(MemoryCategory::Constants)], Bytes(16));
  EXPECT_EQ(bytes[static_cast<std::size_t>(MemoryCategory::Variables)], Bytes(16));
}

TEST(Compile, DoesNotFitIsAResultThatSaysWhereAndBy) {
  ToyGraph toy;
  const Tensor large = toy.on(2, 20'000, Lifetime::Always);  // 80,000 of 65,536 B
  toy.graph.program().add(toy.scale(2, large.slice(0, 4, 0), toy.on(2, 4)));
  const Executable executable = toy.compile();
  const auto oom = run::outOfMemory(executable);
  ASSERT_TRUE(oom.has_value());
  EXPECT_EQ(oom->tile, 2U);
  EXPECT_EQ(oom->category, MemoryCategory::Variables);
  EXPECT_GT(oom->bytes_over, Bytes(80'000 - 65'536));
  EXPECT_EQ(executable.programs.tiles[2].vertices.size(), 1U);
}

TEST(Compile, EqualTilesShareACurveOfLiveBytes) {
  ToyGraph toy;
  const auto set = toy.graph.addComputeSet("scale");
  for (const std::uint32_t tile : {0, 1, 3}) {
    const std::uint64_t elements = tile == 3 ? 8 : 4;
    toy.graph.addVertices(set,
                          {shared(workloads::scaleVertex(2.0F, elements)),
                           TileId(tile),
                           1,
                           {{toy.on(tile, elements).view()}, {toy.on(tile, elements).view()}}});
  }
  toy.graph.program().add(execute(set));
  const LivenessCurves liveness = toy.compile().memory.liveness;
  EXPECT_EQ(liveness.curves.size(), 3U);
  EXPECT_EQ(liveness.curve_of_tile, (std::vector<std::uint32_t>{0, 0, 1, 2}));
  EXPECT_THAT(liveness.bytesOf(1, 1), ElementsAre(Bytes(2 * 16)));
  EXPECT_THAT(liveness.bytesOf(2, 1), ElementsAre(Bytes(0)));
  EXPECT_THAT(liveness.total(1), ElementsAre(Bytes(2 * 16 + 2 * 16 + 2 * 32)));
}

TEST(Compile, SumsOfCategoriesAreTheTilesBytes) {
  ToyGraph toy;
  toy.graph.program().add(toy.scale(1, toy.on(0, 4), toy.on(1, 4)));
  for (const TileMemory& tile : toy.compile().memory.tiles) {
    Bytes sum;
    for (const Bytes bytes : tile.at_peak) sum += bytes;
    EXPECT_EQ(sum, tile.bytes());
  }
}

}  // namespace ipusim::compiler
