// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/layout/liveness.h"

#include <gtest/gtest.h>

#include "tests/compile/toy_graph.h"

namespace ipusim::compiler {

namespace {

LiveRanges livesOf(const Executable& executable, const Tensor& tensor, std::uint32_t tile) {
  return executable.lowered.shareOf(tensor.view().front().variable, TileId(tile)).live;
}

LiveRange rangeOf(const Executable& executable, const Tensor& tensor, std::uint32_t tile) {
  return livesOf(executable, tensor, tile).front();
}

}  // namespace

TEST(Liveness, ATemporaryLivesFromFirstWriteToLastRead) {
  ToyGraph toy;
  const Tensor a = toy.on(0, 4);
  const Tensor b = toy.on(0, 4);
  const Tensor c = toy.on(0, 4);
  toy.graph.program().add(toy.scale(0, a, b));
  toy.graph.program().add(toy.scale(0, b, c));
  toy.graph.program().add(toy.scale(0, c, a));
  const Executable executable = toy.compile();
  EXPECT_EQ(rangeOf(executable, b, 0).first, 0U);
  EXPECT_EQ(rangeOf(executable, b, 0).last, 1U);
}

TEST(Liveness, AValueCarriedThroughALoopLivesThroughout) {
  ToyGraph toy;
  const Tensor sum = toy.on(0, 4);
  const Tensor next = toy.on(0, 4);
  toy.graph.program().add(repeat(3, {toy.scale(0, sum, next), toy.scale(0, next, sum),
                                     toy.scale(0, toy.on(0, 4), toy.on(0, 4))}));
  const Executable executable = toy.compile();
  EXPECT_EQ(rangeOf(executable, sum, 0).last, 2U);
  EXPECT_EQ(rangeOf(executable, next, 0).last, 1U);
}

TEST(Liveness, APartialWriteInALoopKeepsTheRest) {
  ToyGraph toy;
  const Tensor whole = toy.on(0, 8);
  toy.graph.program().add(
      repeat(2, {toy.scale(0, toy.on(0, 4), whole.slice(0, 4, 0)),
                 toy.scale(0, whole, toy.on(0, 8)), toy.scale(0, toy.on(0, 4), toy.on(0, 4))}));
  const Executable executable = toy.compile();
  EXPECT_EQ(rangeOf(executable, whole, 0).first, 0U);
  EXPECT_EQ(rangeOf(executable, whole, 0).last, 2U);
}

TEST(Liveness, OneValueDiesBeforeTheNextIsWritten) {
  ToyGraph toy;
  const Tensor a = toy.on(0, 4);
  const Tensor b = toy.on(0, 4);
  const Tensor c = toy.on(0, 4);
  const auto function = toy.graph.addFunction(sequence({toy.scale(0, a, b), toy.scale(0, b, c)}));
  toy.graph.program().add(call(function));
  toy.graph.program().add(toy.scale(0, c, a));
  toy.graph.program().add(call(function));
  const Executable executable = toy.compile();
  const LiveRanges lives = livesOf(executable, b, 0);
  ASSERT_EQ(lives.size(), 2U);
  EXPECT_EQ(lives[0].last, 1U);
  EXPECT_EQ(lives[1].first, 3U);
}

// The part on the tile is copied there, and the other one arrives in an exchange: two steps of one.
TEST(Liveness, ACopyInTwoPartsBeginsANewValue) {
  ToyGraph toy;
  const Tensor whole = toy.on(0, 8);
  const Tensor result = toy.on(0, 8);
  const std::vector<CopyPair> parts{{toy.on(0, 4), whole.slice(0, 4, 0)},
                                    {toy.on(1, 4), whole.slice(4, 8, 0)}};
  const auto function = toy.graph.addFunction(
      sequence({toy.graph.copy(parts, "parts"), toy.scale(0, whole, result)}));
  toy.graph.program().add(call(function));
  toy.graph.program().add(toy.scale(0, result, toy.on(0, 8)));
  toy.graph.program().add(call(function));
  const LiveRanges lives = livesOf(toy.compile(), whole, 0);
  ASSERT_EQ(lives.size(), 2U);
  EXPECT_LT(lives[0].last + 1, lives[1].first);
}

/// `whole` is filled in halves by two steps and then read.
Program filledInHalves(ToyGraph& toy, const Tensor& whole) {
  return sequence({toy.scale(0, toy.on(0, 4), whole.slice(0, 4, 0)),
                   toy.scale(0, toy.on(0, 4), whole.slice(4, 8, 0)),
                   toy.scale(0, whole, toy.on(0, 8))});
}

TEST(Liveness, WhatHoldsNothingIsDeadUntilItIsUsed) {
  for (const bool has_undef : {false, true}) {
    ToyGraph toy;
    const Tensor whole = toy.on(0, 8);
    Program body = has_undef ? sequence({writeUndef(whole)}) : Program{};
    body.add(toy.scale(0, toy.on(0, 4), toy.on(0, 4)));
    body.add(filledInHalves(toy, whole));
    const auto function = toy.graph.addFunction(std::move(body));
    toy.graph.program().add(call(function));
    toy.graph.program().add(call(function));
    const LiveRanges lives = livesOf(toy.compile(), whole, 0);
    ASSERT_EQ(lives.size(), has_undef ? 2U : 1U);
    EXPECT_EQ(lives[0].first, 1U);
    EXPECT_EQ(lives[0].last, has_undef ? 3U : 7U);
    if (has_undef) {
      EXPECT_EQ(lives[1].first, 5U);
    }
  }
}

TEST(Liveness, ALoopKeepsWhatHeldNothingBeforeIt) {
  ToyGraph toy;
  const Tensor whole = toy.on(0, 8);
  toy.graph.program().add(filledInHalves(toy, whole));
  toy.graph.program().add(writeUndef(whole));
  toy.graph.program().add(repeat(2, {toy.scale(0, toy.on(0, 4), toy.on(0, 4)),
                                     toy.scale(0, toy.on(0, 4), whole.slice(0, 4, 0))}));
  toy.graph.program().add(toy.scale(0, whole, toy.on(0, 8)));
  const LiveRanges lives = livesOf(toy.compile(), whole, 0);
  ASSERT_EQ(lives.size(), 2U);
  EXPECT_EQ(lives[0].last, 2U);
  EXPECT_EQ(lives[1].first, 3U);
  EXPECT_EQ(lives[1].last, 5U);
}

TEST(Liveness, WhatHoldsNothingInARoundIsNotCarriedToTheNext) {
  ToyGraph toy;
  const Tensor whole = toy.on(0, 8);
  toy.graph.program().add(
      repeat(2, {toy.scale(0, toy.on(0, 4), toy.on(0, 4)), writeUndef(whole),
                 filledInHalves(toy, whole), toy.scale(0, toy.on(0, 4), toy.on(0, 4))}));
  const LiveRanges lives = livesOf(toy.compile(), whole, 0);
  ASSERT_EQ(lives.size(), 1U);
  EXPECT_EQ(lives[0].first, 1U);
  EXPECT_EQ(lives[0].last, 3U);
}

TEST(Liveness, WhatABranchMayLeaveAloneKeepsItsValue) {
  ToyGraph toy;
  const Tensor whole = toy.on(0, 8);
  const Tensor flag = toy.graph.addVariable(ElementType::Bool, {1}, "flag");
  toy.graph.setTileMapping(flag, TileId(0));
  toy.graph.program().add(filledInHalves(toy, whole));
  // The last step of the branch says it, so that no step behind the branch may rely on it.
  toy.graph.program().add(
      {If{flag, {{toy.scale(0, toy.on(0, 4), toy.on(0, 4)), writeUndef(whole)}}, {}}});
  toy.graph.program().add(toy.scale(0, whole, toy.on(0, 8)));
  ExecutionRecord record;
  record.branches.emplace_back().append(1);
  const Executable executable =
      compile(toy.graph, models::toyMachine(), TimingMode::Program, record);
  const LiveRanges lives = livesOf(executable, whole, 0);
  ASSERT_EQ(lives.size(), 1U);
  EXPECT_EQ(lives[0].last + 1, executable.lowered.positions.size());
}

TEST(Liveness, WhatLivesAlwaysKeepsItsMemory) {
  ToyGraph toy;
  const Tensor kept = toy.on(0, 8, Lifetime::Always);
  toy.graph.program().add(sequence({writeUndef(kept), filledInHalves(toy, kept)}));
  EXPECT_TRUE(toy.compile().lowered.shareOf(kept.view().front().variable, TileId(0)).always_live);
}

TEST(Liveness, ALoopThatReadsFirstJoinsTheValuesInIt) {
  ToyGraph toy;
  const Tensor a = toy.on(0, 4);
  const Tensor b = toy.on(0, 4);
  toy.graph.program().add(toy.scale(0, b, a));
  toy.graph.program().add(repeat(2, {toy.scale(0, a, toy.on(0, 4)), toy.scale(0, b, a)}));
  const LiveRanges lives = livesOf(toy.compile(), a, 0);
  ASSERT_EQ(lives.size(), 1U);
  EXPECT_EQ(lives[0].first, 0U);
  EXPECT_EQ(lives[0].last, 2U);
}

TEST(Liveness, DisjointLivesShareTheirPlace) {
  ToyGraph toy;
  Tensor last = toy.on(0, 1000);
  for (int i = 0; i < 10; ++i) {
    const Tensor next = toy.on(0, 1000);
    toy.graph.program().add(toy.scale(0, last, next));
    last = next;
  }
  // Two of the eleven are live at a time; vertices add 10 * 8 B of state and 16 B of code.
  EXPECT_EQ(toy.compile().memory.tiles[0].bytes(), Bytes(2 * 4000 + 96));
}

}  // namespace ipusim::compiler
