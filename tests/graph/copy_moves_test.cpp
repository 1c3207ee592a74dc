// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/copy_moves.h"

#include <gtest/gtest.h>

#include "ipusim/graph.h"

namespace ipusim {

namespace {

/// `tensor`, put together from `parts` columns.
Tensor inColumns(const Tensor& tensor, std::uint64_t parts) {
  std::vector<Tensor> columns;
  for (std::uint64_t p = 0; p < parts; ++p) columns.push_back(tensor.slice(p, p + 1, 1));
  return concat(columns, 1);
}

std::vector<Move> movesOf(const CopyStep& step) {
  std::vector<Move> moves;
  visitMoveRuns(step, [&](const MoveRun& run) {
    visitMoves(run, [&](const Move& move) { moves.push_back(move); });
  });
  return moves;
}

Move moveAt(std::uint64_t from, std::uint64_t to, std::uint64_t count) {
  Move move{VariableId(0), VariableId(1), {{VariableElements(from), VariableElements(to)}}};
  move.walk.addInside({count, {VariableElements(1), VariableElements(1)}});
  return move;
}

}  // namespace

TEST(MoveRun, TakesMovesOfOneFormAtOneDistance) {
  std::vector<MoveRun> runs;
  for (std::uint64_t m = 0; m < 5; ++m) appendMove(runs, moveAt(40 - 10 * m, 7 * m, 4));
  appendMove(runs, moveAt(60, 35, 4));  // another distance
  appendMove(runs, moveAt(50, 42, 5));  // another form
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[0].count, 5U);
  EXPECT_EQ(runs[0].begin(4).from, VariableElements(0));
  EXPECT_EQ(runs[0].begin(4).to, VariableElements(28));
  EXPECT_EQ(runs[1].first.walk.begin.from, VariableElements(60));
  EXPECT_EQ(movesIn(runs), 7U);
}

TEST(CopyMoves, FindsTheManyMovesOfALargePairInTheOrderOfTheTarget) {
  constexpr std::uint64_t kColumns = 100;
  Graph graph;
  const Tensor from = graph.addVariable(ElementType::Float, {4, kColumns}, "from");
  const Tensor to = graph.addVariable(ElementType::Float, {4, kColumns}, "to");
  graph.copy(inColumns(from, kColumns), inColumns(to, kColumns), "copy");
  ASSERT_EQ(graph.copies()[0].large.size(), 1U);
  EXPECT_TRUE(graph.copies()[0].moves.empty());
  const std::vector<Move> moves = movesOf(graph.copies()[0]);
  ASSERT_EQ(moves.size(), kColumns);
  for (std::uint64_t c = 0; c < kColumns; ++c) {
    EXPECT_EQ(moves[c].walk.begin.to, VariableElements(c));
    EXPECT_EQ(moves[c].walk.begin.from, VariableElements(c));
    EXPECT_EQ(moves[c].walk.elements(), 4U);
  }
}

TEST(CopyMoves, PiecesAConstantDistanceApartGiveOneRun) {
  Graph graph;
  const Tensor from = graph.addVariable(ElementType::Float, {4, 100}, "from");
  const Tensor to = graph.addVariable(ElementType::Float, {4, 100}, "to");
  std::vector<Tensor> pairs;
  for (std::uint64_t p = 0; p < 50; ++p) pairs.push_back(from.slice(2 * p, 2 * p + 2, 1));
  const CopyPair pair{concat(pairs, 1).slice(0, 60, 1), to.slice(31, 91, 1)};
  const CopyMoves all(pair);
  std::vector<MoveRun> runs;
  all.add(0, runs);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].count, 30U);
  EXPECT_EQ(runs[0].begin(29).from, VariableElements(58));
  EXPECT_EQ(runs[0].begin(29).to, VariableElements(31 + 58));
  EXPECT_EQ(runs[0].first.walk.elements(), 8U);
}

TEST(CopyMoves, PiecesThatReachBeyondTheTargetAreCutOneByOne) {
  Graph graph;
  const Tensor from = graph.addVariable(ElementType::Float, {20}, "from");
  const Tensor to = graph.addVariable(ElementType::Float, {20}, "to");
  std::vector<Tensor> sources;
  for (std::uint64_t p = 0; p < 5; ++p) sources.push_back(from.slice(4 * p, 4 * p + 4, 0));
  const CopyPair pair{concat(sources, 0),
                      concat({to.slice(0, 2, 0), to.slice(2, 15, 0), to.slice(15, 20, 0)}, 0)};
  const CopyMoves all(pair);
  std::vector<MoveRun> runs;
  all.add(1, runs);
  std::vector<std::uint64_t> begins;
  std::vector<std::uint64_t> sizes;
  for (const MoveRun& run : runs) {
    visitMoves(run, [&](const Move& move) {
      begins.push_back(move.walk.begin.from.value());
      sizes.push_back(move.walk.elements());
      EXPECT_EQ(move.walk.begin.to, move.walk.begin.from);
    });
  }
  EXPECT_EQ(begins, (std::vector<std::uint64_t>{2, 4, 8, 12}));
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{2, 4, 4, 3}));
}

TEST(CopyMoves, KeepsALargePairBetweenTheMovesBesideIt) {
  Graph graph;
  const Tensor from = graph.addVariable(ElementType::Float, {4, 100}, "from");
  const Tensor to = graph.addVariable(ElementType::Float, {4, 100}, "to");
  const Tensor small = graph.addVariable(ElementType::Float, {4}, "small");
  graph.copy({{small.slice(0, 1, 0), small.slice(1, 2, 0)},
              {inColumns(from, 100), inColumns(to, 100)},
              {small.slice(2, 3, 0), small.slice(3, 4, 0)}},
             "copy");
  const std::vector<Move> moves = movesOf(graph.copies()[0]);
  ASSERT_EQ(moves.size(), 102U);
  EXPECT_EQ(moves.front().walk.begin.to, VariableElements(1));
  EXPECT_EQ(moves.back().walk.begin.to, VariableElements(3));
  EXPECT_NE(moves[1].to, moves.front().to);
}

}  // namespace ipusim
