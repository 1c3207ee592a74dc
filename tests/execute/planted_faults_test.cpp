// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "ipusim/error.h"
#include "sim/compile/layout/memory.h"
#include "tests/execute/toy_run.h"
#include "tests/support/test_vertices.h"

// Each test plants one mistake of a compiler, which the run must show. A strict run says where.

namespace ipusim::executor {

using compiler::Block;
using compiler::Executable;
using compiler::Step;
using testing::ElementsAre;
using workloads::scaleVertex;

namespace {

bool hasNan(const Values& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

/// What a strict run stops with; empty where it comes to its end.
std::string strictFault(const ToyRun& toy, const Executable& executable, const Tensor& output) {
  try {
    (void)toy.result(executable, output, Checking::Strict);
    return "";
  } catch (const InternalError& fault) {
    return fault.what();
  }
}

Step& exchangeOf(Executable& executable) {
  return *std::find_if(executable.lowered.steps.begin(), executable.lowered.steps.end(),
                       [](const Step& step) { return step.kind == StepKind::Exchange; });
}

/// Lets `change` change the first pattern of a field of the step's first family.
template <typename Change>
void changeFirstPattern(Executable& executable, std::size_t step, std::size_t field,
                        const Change& change) {
  compiler::BoundFamily& family = executable.lowered.steps[step].families[0];
  compiler::BoundFields::List fields = family.fields.list();
  change(fields[field].patterns[0]);
  family.fields = compiler::BoundFields(fields);
}

/// in -> first -> second -> third -> out on tile 0. `first` is read once more at the end.
class Chain : public testing::Test {
 protected:
  void SetUp() override {
    toy_.give(in_, {1, 2, 3, 4});
    toy_.add(scaleVertex(2, 4), 0, {{in_.view()}, {first_.view()}});
    toy_.add(scaleVertex(2, 4), 0, {{first_.view()}, {second_.view()}});
    toy_.add(scaleVertex(2, 4), 0, {{second_.view()}, {third_.view()}});
    toy_.add(workloads::addVectorsVertex(4), 0, {{first_.view()}, {third_.view()}, {out_.view()}});
    executable_ = toy_.compile();
  }

  [[nodiscard]] BlockId shareId(const Tensor& tensor) const {
    return executable_.lowered.share_of[indexOf(tensor.view().front().variable)][0];
  }
  Block& shareOf(const Tensor& tensor) {
    return executable_.lowered.blocks[indexOf(shareId(tensor))];
  }
  void layOutAgain() {
    executable_.memory = compiler::layOut(executable_.lowered, executable_.system.ipu,
                                          std::vector<CategoryBytes>(ToyRun::toyTiles()));
  }

  ToyRun toy_;
  Tensor in_ = toy_.on(0, {4});
  Tensor first_ = toy_.on(0, {4}, Lifetime::Temporary);
  Tensor second_ = toy_.on(0, {4}, Lifetime::Temporary);
  Tensor third_ = toy_.on(0, {4}, Lifetime::Temporary);
  Tensor out_ = toy_.on(0, {4});
  Executable executable_;
};

TEST_F(Chain, IsRightAsItWasCompiled) {
  EXPECT_THAT(toy_.result(executable_, out_), ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(toy_.result(executable_, out_, Checking::Strict), ElementsAre(10, 20, 30, 40));
  layOutAgain();
  EXPECT_THAT(toy_.result(executable_, out_), ElementsAre(10, 20, 30, 40));
}

TEST_F(Chain, ALifetimeThatEndsTooSoonShows) {
  --shareOf(first_).live.front().last;
  EXPECT_THROW((void)toy_.result(executable_, out_), InternalError);
}

TEST_F(Chain, ALifetimeThatEndsTooSoonShowsWhereAnotherBlockTakesThePlace) {
  shareOf(first_).live.front().last = 1;
  layOutAgain();
  ASSERT_EQ(shareOf(first_).address, shareOf(third_).address);
  EXPECT_THROW((void)toy_.result(executable_, out_), InternalError);
}

TEST_F(Chain, ALifetimeThatBeginsTooLateShows) {
  ++shareOf(second_).live.front().first;
  EXPECT_THROW((void)toy_.result(executable_, out_), InternalError);
}

TEST_F(Chain, TwoBlocksAtOneAddressShow) {
  shareOf(second_).address = shareOf(first_).address;
  EXPECT_THAT(toy_.result(executable_, out_), testing::Not(ElementsAre(10, 20, 30, 40)));
  EXPECT_THAT(strictFault(toy_, executable_, out_), testing::HasSubstr("holds nothing"));
}

TEST_F(Chain, AWriteAtTheWrongOffsetIsABug) {
  changeFirstPattern(executable_, 0, 1, [](auto& pattern) { pattern.walk.begin = Bytes(4); });
  EXPECT_THROW((void)toy_.result(executable_, out_), InternalError);
}

TEST_F(Chain, AReadBesideItsDataShows) {
  changeFirstPattern(executable_, 1, 0, [&](auto& pattern) { pattern.block = shareId(in_); });
  EXPECT_THAT(toy_.result(executable_, out_), testing::Not(ElementsAre(10, 20, 30, 40)));
}

}  // namespace

TEST(PlantedFault, AResultThatAnotherBlockWritesOverIsFoundByAStrictRun) {
  ToyRun toy;
  const Tensor in = toy.on(0, {2});
  const Tensor first = toy.on(0, {2});
  const Tensor second = toy.on(0, {2});
  toy.give(in, {1, 2});
  toy.add(scaleVertex(3, 2), 0, {{in.view()}, {first.view()}});
  toy.add(scaleVertex(3, 2), 0, {{in.view()}, {second.view()}});
  Executable executable = toy.compile();
  EXPECT_EQ(strictFault(toy, executable, first), "");
  const auto block = [&](const Tensor& tensor) -> Block& {
    return executable.lowered
        .blocks[indexOf(executable.lowered.share_of[indexOf(tensor.view().front().variable)][0])];
  };
  block(second).address = block(first).address;
  // Both hold the same numbers.
  EXPECT_THAT(toy.result(executable, first), ElementsAre(3, 6));
  EXPECT_THAT(strictFault(toy, executable, first), testing::HasSubstr("has written over"));
}

TEST(PlantedFault, AMissingMessageShows) {
  ToyRun toy;
  const Tensor from = toy.spread({4}, 1);
  const Tensor to = toy.on(0, {4});
  toy.give(from, {1, 2, 3, 4});
  toy.graph.program().add(toy.graph.copy(from, to, "gather"));
  Executable executable = toy.compile();
  EXPECT_THAT(toy.result(executable, to), ElementsAre(1, 2, 3, 4));
  exchangeOf(executable).messages.takeLast();
  EXPECT_TRUE(hasNan(toy.result(executable, to)));
  EXPECT_THAT(strictFault(toy, executable, to), testing::HasSubstr("holds nothing"));
}

TEST(PlantedFault, AMissingReceiverShows) {
  ToyRun toy;
  const Tensor from = toy.on(0, {1});
  const Tensor to = toy.spread({4}, 1);
  toy.give(from, {7});
  toy.graph.program().add(toy.graph.copy(from.broadcast(4, 0), to, "scatter"));
  Executable executable = toy.compile();
  EXPECT_THAT(toy.result(executable, to), ElementsAre(7, 7, 7, 7));
  compiler::Messages& messages = exchangeOf(executable).messages;
  compiler::Message message = messages.takeLast();
  ASSERT_EQ(messages.receiversOf(message), 3U);
  message.list =
      messages.addList({messages.destinationOf(message, 0), messages.destinationOf(message, 1)});
  messages.add(message);
  EXPECT_TRUE(hasNan(toy.result(executable, to)));
  EXPECT_THAT(strictFault(toy, executable, to), testing::HasSubstr("holds nothing"));
}

TEST(PlantedFault, AMissingCopyOnTheTileShows) {
  ToyRun toy;
  const Tensor from = toy.on(0, {2, 2});
  const Tensor to = toy.on(0, {2, 2});
  toy.give(from, {1, 2, 3, 4});
  toy.graph.program().add(toy.graph.copy(from.dimShuffle({1, 0}), to, "transpose"));
  Executable executable = toy.compile();
  EXPECT_THAT(toy.result(executable, to), ElementsAre(1, 3, 2, 4));
  executable.lowered.steps.at(0).families.clear();
  EXPECT_TRUE(hasNan(toy.result(executable, to)));
  EXPECT_THAT(strictFault(toy, executable, to), testing::HasSubstr("holds nothing"));
}

TEST(PlantedFault, ACarriedValueThatTheLoopDoesNotKeepShows) {
  ToyRun toy;
  const Tensor in = toy.on(0, {2});
  const Tensor sum = toy.on(0, {2}, Lifetime::Temporary);
  const Tensor out = toy.on(0, {2});
  toy.give(in, {1, 10});
  const auto set = toy.graph.addComputeSet("accumulate");
  toy.graph.addVertices(
      set, {shared(workloads::accumulateVertex(2)), TileId(0), 1, {{sum.view()}, {in.view()}}});
  toy.graph.program().add(toy.graph.copy(in, sum, "start"));
  toy.graph.program().add(repeat(3, {execute(set), toy.graph.copy(sum, out, "end")}));
  Executable executable = toy.compile();
  EXPECT_THAT(toy.result(executable, out), ElementsAre(4, 40));
  executable.lowered
      .blocks[indexOf(executable.lowered.share_of[indexOf(sum.view().front().variable)][0])]
      .live = {{0, 1}};
  EXPECT_THROW((void)toy.result(executable, out), InternalError);
}

namespace {

/// out[i] = the larger of in[i] and in[i + 2], which a NaN there does not change.
VertexType largerVertex() {
  return workloads::testVertex("Larger",
                               {workloads::floatField("in", FieldDirection::Input, {{1, 4}}),
                                workloads::floatField("out", FieldDirection::Output, {{1, 2}})},
                               [](const VertexData& data) {
                                 const auto* in = data.as<float>(0, 0);
                                 auto* out = data.as<float>(1, 0);
                                 out[0] = std::max(in[0], in[2]);
                                 out[1] = std::max(in[1], in[3]);
                               });
}

/// out[i] = in[i] for i < 2, whatever in[2] and in[3] are.
VertexType firstTwoVertex() {
  VertexType type = largerVertex();
  type.compute = [](const VertexData& data) {
    std::copy_n(data.as<float>(0, 0), 2, data.as<float>(1, 0));
  };
  return type;
}

/// in -> the first half of `middle`, all of which a vertex reads.
class HalfWritten : public testing::Test {
 protected:
  void read(VertexType by) {
    toy_.give(in_, {1, 2});
    toy_.add(scaleVertex(2, 2), 0, {{in_.view()}, {middle_.slice(0, 2, 0).view()}});
    toy_.add(std::move(by), reader_, {{middle_.view()}, {out_.view()}});
  }
  void expectThatOnlyAStrictRunFindsIt() {
    read(largerVertex());
    const Executable executable = toy_.compile();
    EXPECT_THAT(toy_.result(executable, out_), ElementsAre(2, 4));
    EXPECT_THAT(
        strictFault(toy_, executable, out_),
        testing::AllOf(testing::StartsWith("the host's output reads address "),
                       testing::EndsWith("which holds nothing that the program has written")));
  }

  std::uint32_t reader_ = 0;
  ToyRun toy_;
  Tensor in_ = toy_.on(0, {2});
  Tensor middle_ = toy_.on(0, {4}, Lifetime::Temporary);
  Tensor out_ = toy_.on(0, {2});
};

/// The reader is on another tile.
class HalfSent : public HalfWritten {
 protected:
  HalfSent() { reader_ = 1; }
};

}  // namespace

TEST_F(HalfWritten, IsReadWithoutAnErrorInTheNumbers) {
  expectThatOnlyAStrictRunFindsIt();
}

TEST_F(HalfWritten, IsNoFaultWhereNoResultDependsOnTheRest) {
  read(firstTwoVertex());
  EXPECT_THAT(toy_.result(toy_.compile(), out_), ElementsAre(2, 4));
  EXPECT_EQ(strictFault(toy_, toy_.compile(), out_), "");
}

TEST_F(HalfSent, IsReadOnAnotherTileWithoutAnErrorInTheNumbers) {
  expectThatOnlyAStrictRunFindsIt();
}

TEST(PlantedFault, AReadOfWhatADeadBlockLeftIsFoundByAStrictRun) {
  ToyRun toy;
  const Tensor in = toy.on(0, {4});
  const Tensor dead = toy.on(0, {4}, Lifetime::Temporary);
  const Tensor between = toy.on(0, {4});
  const Tensor out = toy.on(0, {2});
  toy.give(in, {1, 2, 3, 4});
  toy.add(scaleVertex(2, 4), 0, {{in.view()}, {dead.view()}});
  toy.add(scaleVertex(2, 4), 0, {{dead.view()}, {between.view()}});
  toy.add(largerVertex(), 0, {{in.view()}, {out.view()}});
  Executable executable = toy.compile();
  EXPECT_EQ(strictFault(toy, executable, out), "");
  const BlockId block = executable.lowered.share_of[indexOf(dead.view().front().variable)][0];
  changeFirstPattern(executable, 2, 0, [&](auto& pattern) { pattern.block = block; });
  EXPECT_THROW((void)toy.result(executable, out), InternalError);
  // The block lives again where it is read, and nothing has filled it anew.
  executable.lowered.blocks[indexOf(block)].live.push_back({2, 2});
  EXPECT_TRUE(hasNan(toy.result(executable, out)));
  EXPECT_THAT(strictFault(toy, executable, out), testing::HasSubstr("holds nothing"));
}

TEST(PlantedUndef, LosesWhatIsReadAllTheSame) {
  for (const bool has_undef : {false, true}) {
    ToyRun toy;
    const Tensor in = toy.on(0, {4});
    const Tensor between = toy.on(0, {4}, Lifetime::Temporary);
    const Tensor out = toy.on(0, {4});
    toy.give(in, {1, 2, 3, 4});
    toy.add(scaleVertex(2, 4), 0, {{in.view()}, {between.view()}});
    if (has_undef) toy.graph.program().add(writeUndef(between));
    toy.add(scaleVertex(2, 4), 0, {{between.view()}, {out.view()}});
    EXPECT_EQ(hasNan(toy.result(out)), has_undef);
  }
}

}  // namespace ipusim::executor
