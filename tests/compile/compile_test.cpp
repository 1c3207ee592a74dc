// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "sim/compile/lower/lower.h"
#include "sim/run/summary/summarize.h"
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
  ASSERT_EQ(executable.lowered.steps[1].messages.size(), 1U);
  const Messages& messages = executable.lowered.steps[1].messages;
  EXPECT_EQ(messages.receiversOf(messages.runs().front().front()), 3U);
  EXPECT_EQ(executable.traffic.volumes[1].bytes, Bytes(3 * 16));
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
  EXPECT_EQ(executable.traffic.volumes[2].bytes, Bytes(16));
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
  const TileProgram& tile = executable.programs.only().tiles[1];
  ASSERT_EQ(tile.ops.size(), 1U);
  EXPECT_EQ(tile.ops[0].count, 6U);
  std::vector<Cycles> cycles;
  for (const VertexRun& run : tile.vertices) cycles.push_back(run.cycles);
  EXPECT_THAT(cycles,
              ElementsAre(Cycles(12), Cycles(4), Cycles(12), Cycles(4), Cycles(12), Cycles(2)));
  EXPECT_EQ(run::countsOf(executable).vertices, 6U);
}

namespace {

/// Four vertices on tile 1, added one by one or as families: out = 2 in, for 4 elements each. The
/// input lies on `input_tile`.
Executable fourVertices(std::uint32_t input_tile, bool one_by_one) {
  ToyGraph toy;
  const Tensor in = toy.on(input_tile, 20);
  const Tensor out = toy.on(1, 20);
  const auto set = toy.graph.addComputeSet("scale");
  const auto type = shared(scaleFor(4));
  for (const std::uint64_t begin : {0U, 4U, 8U, 16U}) {
    VertexFamily vertex{
        type,
        TileId(1),
        1,
        {{in.slice(begin, begin + 4, 0).view()}, {out.slice(begin, begin + 4, 0).view()}}};
    if (one_by_one) {
      toy.graph.addVertex(set, vertex);
    } else {
      toy.graph.addVertices(set, vertex);
    }
  }
  toy.graph.program().add(execute(set));
  return toy.compile();
}

}  // namespace

TEST(Compile, VerticesAddedOneByOneAreOneFamilyWhereTheirDataIs) {
  const Executable joined = fourVertices(1, true);
  ASSERT_EQ(joined.lowered.steps.size(), 1U);
  const std::vector<BoundFamily>& families = joined.lowered.steps[0].families;
  ASSERT_EQ(families.size(), 2U);
  EXPECT_EQ(families[0].count, 3U);
  EXPECT_EQ(families[1].count, 1U);
  EXPECT_EQ(families[1].fields.list()[0].patterns[0].walk.begin, Bytes(64));
  EXPECT_EQ(run::countsOf(joined).vertices, 4U);
}

TEST(Compile, VerticesAddedOneByOneGetBuffersOfTheirOwn) {
  const Executable joined = fourVertices(0, true);
  const Executable apart = fourVertices(0, false);
  ASSERT_EQ(joined.lowered.blocks.size(), 2U + 4U);
  ASSERT_EQ(joined.lowered.blocks.size(), apart.lowered.blocks.size());
  for (std::size_t b = 0; b < apart.lowered.blocks.size(); ++b) {
    EXPECT_EQ(joined.lowered.blocks[b].bytes, apart.lowered.blocks[b].bytes);
    EXPECT_EQ(joined.lowered.blocks[b].address, apart.lowered.blocks[b].address);
  }
  EXPECT_EQ(joined.lowered.steps.back().families.size(), 4U);
  EXPECT_EQ(joined.lowered.steps[1].messages.size(), apart.lowered.steps[1].messages.size());
}

TEST(Compile, AViewFromIntervalToIntervalIsOneWalk) {
  ToyGraph toy;
  const Tensor data = toy.graph.addVariable(ElementType::Float, {4, 6}, "data");
  for (std::uint64_t row = 0; row < 4; ++row) {
    const Tensor whole = data.slice(row, row + 1, 0);
    toy.graph.setTileMapping(whole.slice(0, 2, 1), TileId(0));
    toy.graph.setTileMapping(whole.slice(2, 6, 1), TileId(1));
  }
  const Tensor own = data.slice(2, 4, 1);
  const Tensor out = toy.on(1, 8);
  const auto other = toy.graph.addComputeSet("scaleAll");
  toy.graph.addVertices(other, {shared(workloads::scaleVertex(2.0F, 2)),
                                TileId(1),
                                4,
                                {{own.slice(0, 1, 0).view(), 6}, {out.slice(0, 2, 0).view(), 2}}});
  toy.graph.program().add(execute(other));
  const Executable executable = toy.compile();
  ASSERT_EQ(kindsOf(executable), std::vector<StepKind>{StepKind::Compute});
  const BoundField in = executable.lowered.steps[0].families[0].fields.list()[0];
  ASSERT_EQ(in.patterns.size(), 1U);
  ASSERT_EQ(in.patterns[0].walk.levels.size(), 1U);
  EXPECT_EQ(in.patterns[0].walk.levels[0].count, 4U);
  EXPECT_EQ(in.patterns[0].walk.levels[0].stride, Bytes(16));
}

TEST(Compile, AReleasedGraphCompilesToTheSameAndKeepsItsVariables) {
  ToyGraph toy;
  toy.graph.program().add(toy.graph.copy(toy.on(0, 40), toy.on(1, 40), "copy"));
  toy.graph.program().add(toy.scale(1, toy.on(1, 4), toy.on(2, 4)));
  const Executable kept = toy.compile();
  System system;
  system.ipu = models::toyMachine();
  system.ipus = 1;
  const Executable released = compileAndRelease(toy.graph, system).executable;
  EXPECT_EQ(kindsOf(released), kindsOf(kept));
  EXPECT_EQ(released.programs.only().transmissions.size(),
            kept.programs.only().transmissions.size());
  EXPECT_EQ(toy.graph.variables().size(), 4U);
  EXPECT_TRUE(toy.graph.copies()[0].moves.empty());
  EXPECT_TRUE(toy.graph.computeSets()[0].families.empty());
}

TEST(Compile, AStepThatIsUsedTwiceIsReleasedBehindItsLastUse) {
  ToyGraph toy;
  const Program copy = toy.graph.copy(toy.on(0, 40), toy.on(1, 40), "copy");
  const Program scale = toy.scale(1, toy.on(1, 4), toy.on(2, 4));
  const Program twice = call(toy.graph.addFunction(sequence({copy, scale})));
  toy.graph.program() = sequence({copy, twice, scale, twice});
  const Executable kept = toy.compile();
  const Executable released = compileAndRelease(toy.graph, models::toyMachine()).executable;
  EXPECT_EQ(kindsOf(released), kindsOf(kept));
  EXPECT_EQ(released.programs.only().transmissions.size(),
            kept.programs.only().transmissions.size());
  EXPECT_TRUE(toy.graph.copies()[0].moves.empty());
  EXPECT_TRUE(toy.graph.computeSets()[0].families.empty());
}

TEST(Compile, AReleasedGraphTellsWhereItsStepsEnd) {
  ToyGraph toy;
  toy.graph.program().add(toy.scale(1, toy.on(1, 4), toy.on(1, 4)));
  toy.graph.program().add(toy.graph.copy(toy.on(0, 40), toy.on(1, 40), "copy"));
  EXPECT_EQ(stepsOf(toy.graph), 2U);
  const CompiledGraph compiled = compileAndRelease(toy.graph, models::toyMachine());
  ASSERT_EQ(kindsOf(compiled.executable),
            (std::vector{StepKind::Compute, StepKind::Sync, StepKind::Exchange}));
  EXPECT_EQ(compiled.step_ends, (std::vector<std::uint32_t>{1, 3}));
}

TEST(Compile, AnEmptyComputeSetIsDropped) {
  ToyGraph toy;
  toy.graph.program().add(execute(toy.graph.addComputeSet("empty")));
  const Executable executable = toy.compile();
  EXPECT_TRUE(executable.lowered.steps.empty());
  EXPECT_EQ(run::countsOf(executable).compute_sets, 0U);
}

TEST(Compile, ARepeatsBodyIsCountedOnce) {
  ToyGraph toy;
  const Program body = toy.scale(1, toy.on(1, 4), toy.on(1, 4));
  toy.graph.program().add(repeat(5, {body}));
  const Executable executable = toy.compile();
  EXPECT_EQ(run::countsOf(executable).compute_sets, 1U);
  EXPECT_EQ(executable.programs.only().tiles[1].ops.size(), 3U);  // RepeatBegin, Compute, RepeatEnd
  EXPECT_EQ(executable.programs.only().tiles[1].ops[0].iterations, 5U);
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
  EXPECT_EQ(executable.lowered.positions, (std::vector<StepId>{StepId{0}, StepId{0}}));
  EXPECT_EQ(executable.programs.only().tiles[0].ops.size(), 2U);
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
  const auto oom = run::outOfMemory(toy.graph, executable);
  ASSERT_TRUE(oom.has_value());
  EXPECT_EQ(oom->tile, 2U);
  EXPECT_EQ(oom->category, MemoryCategory::Variables);
  EXPECT_GT(oom->bytes_over, Bytes(80'000 - 65'536));
  EXPECT_EQ(executable.programs.only().tiles[2].vertices.size(), 1U);
}

TEST(Compile, EqualTilesShareACurveOfLiveBytes) {
  ToyGraph toy;
  const auto set = toy.graph.addComputeSet("scale");
  for (const std::uint32_t tile : {0U, 1U, 3U}) {
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

TEST(Compile, EqualTilesHaveEqualAddresses) {
  ToyGraph toy;
  const auto set = toy.graph.addComputeSet("scale");
  std::vector<Tensor> outs;
  for (const std::uint32_t tile : {0U, 1U, 2U}) {
    const std::uint64_t elements = tile == 1 ? 8 : 4;
    const Tensor in = toy.on(tile, elements);
    outs.push_back(toy.on(tile, elements));
    toy.graph.addVertices(set, {shared(workloads::scaleVertex(2.0F, elements)),
                                TileId(tile),
                                1,
                                {{in.view()}, {outs.back().view()}}});
  }
  toy.graph.program().add(execute(set));
  const Executable executable = toy.compile();
  const auto address_on = [&](std::uint32_t tile) {
    return executable.lowered.shareOf(outs[tile].pieces().front().variable, TileId(tile)).address;
  };
  EXPECT_NE(address_on(0), Bytes(0));
  EXPECT_EQ(address_on(2), address_on(0));
  EXPECT_EQ(address_on(1), address_on(0) + Bytes(16));
  EXPECT_EQ(executable.memory.tiles[2].always_live, executable.memory.tiles[0].always_live);
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
