// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "sim/compile/memory.h"
#include "tests/execute/toy_run.h"
#include "tests/support/test_vertices.h"

// Each test plants one mistake of a compiler, which the run must show.

namespace ipusim::checker {

using compiler::Block;
using compiler::Executable;
using compiler::Step;
using testing::ElementsAre;
using workloads::scaleVertex;

namespace {

bool hasNan(const Values& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

Step& exchangeOf(Executable& executable) {
  return *std::find_if(executable.steps.begin(), executable.steps.end(),
                       [](const Step& step) { return step.kind == StepKind::Exchange; });
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
    return executable_.share_of[indexOf(tensor.view().front().variable)][0];
  }
  Block& shareOf(const Tensor& tensor) { return executable_.blocks[indexOf(shareId(tensor))]; }
  void layOutAgain() {
    static_cast<compiler::Placed&>(executable_) = compiler::layOut(
        executable_, executable_.machine, std::vector<CategoryBytes>(ToyRun::toyTiles()));
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
  layOutAgain();
  EXPECT_THAT(toy_.result(executable_, out_), ElementsAre(10, 20, 30, 40));
}

TEST_F(Chain, ALifetimeThatEndsTooSoonShows) {
  --shareOf(first_).live.front().last;
  EXPECT_TRUE(hasNan(toy_.result(executable_, out_)));
}

TEST_F(Chain, ALifetimeThatEndsTooSoonShowsWhereAnotherBlockTakesThePlace) {
  shareOf(first_).live.front().last = 1;
  layOutAgain();
  ASSERT_EQ(shareOf(first_).address, shareOf(third_).address);
  EXPECT_THAT(toy_.result(executable_, out_), testing::Not(ElementsAre(10, 20, 30, 40)));
}

TEST_F(Chain, ALifetimeThatBeginsTooLateShows) {
  ++shareOf(second_).live.front().first;
  EXPECT_TRUE(hasNan(toy_.result(executable_, out_)));
}

TEST_F(Chain, TwoBlocksAtOneAddressShow) {
  shareOf(second_).address = shareOf(first_).address;
  EXPECT_THAT(toy_.result(executable_, out_), testing::Not(ElementsAre(10, 20, 30, 40)));
}

TEST_F(Chain, AWriteAtTheWrongOffsetIsABug) {
  executable_.steps[0].families[0].fields[1].patterns[0].walk.begin = Bytes(4);
  EXPECT_THROW((void)toy_.result(executable_, out_), InternalError);
}

TEST_F(Chain, AReadBesideItsDataShows) {
  executable_.steps[1].families[0].fields[0].patterns[0].block = shareId(in_);
  EXPECT_THAT(toy_.result(executable_, out_), testing::Not(ElementsAre(10, 20, 30, 40)));
}

}  // namespace

TEST(PlantedFault, AMissingMessageShows) {
  ToyRun toy;
  const Tensor from = toy.spread({4}, 1);
  const Tensor to = toy.on(0, {4});
  toy.give(from, {1, 2, 3, 4});
  toy.graph.program().add(toy.graph.copy(from, to, "gather"));
  Executable executable = toy.compile();
  EXPECT_THAT(toy.result(executable, to), ElementsAre(1, 2, 3, 4));
  exchangeOf(executable).messages.pop_back();
  EXPECT_TRUE(hasNan(toy.result(executable, to)));
}

TEST(PlantedFault, AMissingReceiverShows) {
  ToyRun toy;
  const Tensor from = toy.on(0, {1});
  const Tensor to = toy.spread({4}, 1);
  toy.give(from, {7});
  toy.graph.program().add(toy.graph.copy(from.broadcast(4, 0), to, "scatter"));
  Executable executable = toy.compile();
  EXPECT_THAT(toy.result(executable, to), ElementsAre(7, 7, 7, 7));
  exchangeOf(executable).receiver_lists.at(0).pop_back();
  EXPECT_TRUE(hasNan(toy.result(executable, to)));
}

TEST(PlantedFault, AMissingCopyOnTheTileShows) {
  ToyRun toy;
  const Tensor from = toy.on(0, {2, 2});
  const Tensor to = toy.on(0, {2, 2});
  toy.give(from, {1, 2, 3, 4});
  toy.graph.program().add(toy.graph.copy(from.dimShuffle({1, 0}), to, "transpose"));
  Executable executable = toy.compile();
  EXPECT_THAT(toy.result(executable, to), ElementsAre(1, 3, 2, 4));
  executable.steps.at(0).families.clear();
  EXPECT_TRUE(hasNan(toy.result(executable, to)));
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
  executable.blocks[indexOf(executable.share_of[indexOf(sum.view().front().variable)][0])].live = {
      {0, 1}};
  EXPECT_TRUE(hasNan(toy.result(executable, out)));
}

}  // namespace ipusim::checker
