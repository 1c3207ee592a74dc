// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/lifetimes.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/toy_machine.h"

namespace ipusim::executor {

using compiler::Block;
using compiler::Executable;
using compiler::LiveRange;

namespace {

constexpr std::byte kValue{0x2A};
/// Iterations of a Repeat whose body is positions 1 to 3: the first, one in between, the last.
const std::vector<RunningLoop> kFirst = {{{1, 3}, 0, 2}};
const std::vector<RunningLoop> kBetween = {{{1, 3}, 1, 1}};
const std::vector<RunningLoop> kLast = {{{1, 3}, 2, 0}};

/// One block of 4 bytes, filled with kValue, in a program of 5 steps.
class OneBlock {
 public:
  OneBlock(LiveRange live, VariableId variable) {
    executable_.system.ipu = models::toyMachine();
    executable_.lowered.positions.resize(5);
    executable_.memory.tiles.resize(executable_.system.tiles());
    executable_.memory.tiles[0].highest_address = Bytes(4);
    Block block{TileId(0), variable, Bytes(4), MemoryCategory::Variables};
    block.live = {live};
    executable_.lowered.blocks.push_back(block);
    memories_ = std::make_unique<TileMemories>(executable_, Checking::Strict);
    *memories_->at(executable_.lowered.blocks[0]) = kValue;
  }

  bool outlivesBegin(std::uint32_t position, const std::vector<RunningLoop>& loops) {
    Lifetimes(executable_, *memories_).begin(position, loops);
    return holdsItsValue();
  }
  bool outlivesEnd(std::uint32_t position, const std::vector<RunningLoop>& loops) {
    Lifetimes(executable_, *memories_).end(position, loops);
    return holdsItsValue();
  }

 private:
  bool holdsItsValue() { return *memories_->at(executable_.lowered.blocks[0]) == kValue; }

  Executable executable_;
  std::unique_ptr<TileMemories> memories_;
};

constexpr VariableId kSomeVariable{0};
constexpr VariableId kBuffer = compiler::kNoVariable;

}  // namespace

TEST(Lifetimes, PoisonWhereARangeBegins) {
  EXPECT_TRUE(OneBlock({1, 3}, kSomeVariable).outlivesBegin(0, {}));
  EXPECT_FALSE(OneBlock({1, 3}, kSomeVariable).outlivesBegin(1, {}));
  EXPECT_TRUE(OneBlock({1, 3}, kSomeVariable).outlivesBegin(2, {}));
}

TEST(Lifetimes, PoisonWhereARangeEnds) {
  EXPECT_TRUE(OneBlock({1, 3}, kSomeVariable).outlivesEnd(2, {}));
  EXPECT_FALSE(OneBlock({1, 3}, kSomeVariable).outlivesEnd(3, {}));
}

TEST(Lifetimes, BeginAgainInEveryIterationOfALoopTheyDoNotFill) {
  EXPECT_FALSE(OneBlock({2, 3}, kSomeVariable).outlivesBegin(2, kBetween));
  EXPECT_FALSE(OneBlock({1, 2}, kSomeVariable).outlivesEnd(2, kBetween));
  EXPECT_FALSE(OneBlock({2, 4}, kSomeVariable).outlivesBegin(2, kLast));
}

TEST(Lifetimes, BeginInTheFirstIterationOfALoopTheyFill) {
  EXPECT_FALSE(OneBlock({1, 3}, kSomeVariable).outlivesBegin(1, kFirst));
  EXPECT_TRUE(OneBlock({1, 3}, kSomeVariable).outlivesBegin(1, kBetween));
  EXPECT_TRUE(OneBlock({1, 4}, kSomeVariable).outlivesBegin(1, kLast));
}

TEST(Lifetimes, EndInTheLastIterationOfALoopTheyFill) {
  EXPECT_TRUE(OneBlock({0, 3}, kSomeVariable).outlivesEnd(3, kFirst));
  EXPECT_TRUE(OneBlock({1, 3}, kSomeVariable).outlivesEnd(3, kBetween));
  EXPECT_FALSE(OneBlock({1, 3}, kSomeVariable).outlivesEnd(3, kLast));
}

TEST(Lifetimes, NeverCarryABufferRoundALoop) {
  EXPECT_FALSE(OneBlock({1, 3}, kBuffer).outlivesBegin(1, kBetween));
  EXPECT_FALSE(OneBlock({1, 3}, kBuffer).outlivesEnd(3, kBetween));
}

TEST(Lifetimes, CarryRoundAnInnerLoopOnlyWhereTheOuterOneStartsAgain) {
  const RunningLoop outer{{0, 4}, 1, 1};
  EXPECT_FALSE(OneBlock({1, 3}, kSomeVariable).outlivesBegin(1, {outer, kFirst.front()}));
  EXPECT_TRUE(OneBlock({1, 3}, kSomeVariable).outlivesBegin(1, {outer, kBetween.front()}));
  EXPECT_FALSE(OneBlock({1, 3}, kSomeVariable).outlivesEnd(3, {outer, kLast.front()}));
}

}  // namespace ipusim::executor
