// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/toy_machine.h"
#include "workloads/ops/sparse/layout.h"

namespace ipusim::workloads {
namespace {

using Counts = std::vector<std::uint64_t>;

SparseProblem problemOf(SparsePattern pattern, std::uint64_t columns) {
  return {std::move(pattern), columns, ElementType::Float, ElementType::Float, ElementType::Float};
}

TEST(BalancedCuts, ShareTheSumAndLeaveNoPartEmpty) {
  EXPECT_EQ(balancedCuts({1, 1, 1, 1}, 2), (Counts{0, 2, 4}));
  EXPECT_EQ(balancedCuts({9, 1, 1, 1}, 2), (Counts{0, 1, 4}));
  EXPECT_EQ(balancedCuts({1, 1, 1, 9}, 2), (Counts{0, 3, 4}));
  EXPECT_EQ(balancedCuts({0, 0, 0, 0}, 3), (Counts{0, 1, 2, 4}));
  EXPECT_EQ(balancedCuts({0, 0, 7}, 3), (Counts{0, 1, 2, 3}));
}

TEST(CutProduct, CutsColumnsInWholeLoopsOfTheVertex) {
  const SparseProblem problem = problemOf(randomPattern(8, 8, 1, 9, 1), 10);
  EXPECT_EQ(cutProduct(problem, {1, 1, 3}).columns, (Counts{0, 4, 8, 10}));
  EXPECT_EQ(cutProduct(problem, {1, 1, 2}).columns, (Counts{0, 4, 10}));
}

TEST(SparseLayout, PutsEveryNonZeroIntoOnePart) {
  const SparseProblem problem = problemOf(randomPattern(64, 96, 4, 60, 5), 12);
  const SparseLayout layout(problem, {3, 5, 2});
  std::vector<std::uint64_t> sources = layout.valueSources();
  EXPECT_EQ(sources.size(), 60U * 16U);
  std::sort(sources.begin(), sources.end());
  std::vector<std::uint64_t> wanted;
  for (const BlockPosition& block : problem.pattern.blocks) {
    for (std::uint64_t e = 0; e < 16; ++e) {
      wanted.push_back((block.row * 4 + e / 4) * 96 + block.column * 4 + e % 4);
    }
  }
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(sources, wanted);
}

TEST(SparseLayout, StoresEveryDenseElementAndResultOnce) {
  const SparseProblem problem = problemOf(randomPattern(24, 40, 4, 20, 5), 7);
  const SparseLayout layout(problem, {2, 3, 4});
  const auto isPermutation = [](std::vector<std::uint64_t> sources, std::uint64_t size) {
    std::sort(sources.begin(), sources.end());
    for (std::uint64_t i = 0; i < size; ++i) {
      if (sources.size() != size || sources[i] != i) return false;
    }
    return true;
  };
  EXPECT_TRUE(isPermutation(layout.denseSources(), 40 * 7));
  EXPECT_TRUE(isPermutation(layout.resultSources(), 24 * 7));
}

TEST(SparseLayout, GivesEachPartATileOfItsOwn) {
  const SparseLayout layout(problemOf(randomPattern(64, 64, 1, 400, 5), 32), {3, 5, 2});
  std::set<TileId> tiles;
  for (std::uint64_t x = 0; x < 3; ++x) {
    for (std::uint64_t y = 0; y < 5; ++y) {
      for (std::uint64_t z = 0; z < 2; ++z) tiles.insert(layout.tile({x, y, z}));
    }
  }
  EXPECT_EQ(tiles.size(), 30U);
  EXPECT_EQ(*tiles.rbegin(), TileId(29));
}

TEST(PlanSparse, TakesTheLeastEstimateOfThoseThatFit) {
  const Machine machine = models::gc200Sdk();
  const SparseProblem problem = problemOf(randomPattern(256, 256, 1, 2000, 1), 64);
  const SparsePlan plan = planSparse(machine, problem, SparseCuts::InnerAndColumns);
  EXPECT_EQ(plan.splits.rows, 1U);
  EXPECT_EQ(plan.cycles, estimateSparse(machine, problem, plan.splits));
  for (std::uint64_t inner = 1; inner <= 92; ++inner) {
    EXPECT_GE(estimateSparse(machine, problem, {1, inner, 16}), plan.cycles);
  }
  EXPECT_LE(planSparse(machine, problem, SparseCuts::All).cycles, plan.cycles);
}

TEST(PlanSparse, CutsRowsWhereNothingElseFits) {
  // 2 M non-zeros of 4 bytes and 4096 x 2048 partials: no bands and columns alone fit.
  const SparseProblem problem = problemOf(randomPattern(4096, 4096, 16, 8192, 1), 2048);
  const SparsePlan plan = planSparse(models::gc200Sdk(), problem, SparseCuts::InnerAndColumns);
  EXPECT_GT(plan.splits.rows, 1U);
  EXPECT_LT(estimateSparseBytes(problem, plan.splits), models::gc200Sdk().sram_per_tile);
}

}  // namespace
}  // namespace ipusim::workloads
