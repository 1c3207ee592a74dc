// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/toy_machine.h"
#include "workloads/ops/gather/planner/layout.h"

namespace ipusim::workloads {
namespace {

/// A plan with these splits and no terms.
EmbeddingPlan laidOut(const EmbeddingProblem& problem, const EmbeddingSplits& splits) {
  EmbeddingPlan plan;
  plan.problem = problem;
  plan.machine_tiles = models::gc200().tiles;
  plan.grain = 2;
  plan.storage_grain = 2;
  plan.splits = splits;
  return plan;
}

EmbeddingProblem oddTables() {
  EmbeddingProblem problem;
  problem.groups = 3;
  problem.rows = 11;
  problem.columns = 9;
  problem.indices = 47;
  return problem;
}

EmbeddingSplits oddSplits() {
  EmbeddingSplits splits;
  splits.serial = 2;
  splits.look_ups = 4;
  splits.rows = 3;
  splits.columns = 3;
  splits.groups = 2;
  return splits;
}

std::vector<EmbeddingPlace> placesOf(const EmbeddingPlan& plan) {
  std::vector<EmbeddingPlace> places;
  for (std::uint32_t i = 0; i < plan.splits.tiles(); ++i) places.push_back(placeOf(plan.splits, i));
  return places;
}

/// How often each of `size` things is in a range.
class Cover {
 public:
  explicit Cover(std::uint64_t size) : times_(size, 0) {}
  void add(const Range& range) {
    for (std::uint64_t i = range.begin; i < range.end; ++i) ++times_.at(i);
  }
  [[nodiscard]] bool is(int times) const {
    return times_ == std::vector<int>(times_.size(), times);
  }

 private:
  std::vector<int> times_;
};

TEST(EmbeddingLayout, ColumnsAreFastestAndGroupsSlowest) {
  const EmbeddingPlan plan = laidOut(oddTables(), oddSplits());
  EXPECT_EQ(placeNumber(plan.splits, {0, 0, 0, 1}), 1U);
  EXPECT_EQ(placeNumber(plan.splits, {0, 0, 1, 0}), 3U);
  EXPECT_EQ(placeNumber(plan.splits, {0, 1, 0, 0}), 9U);
  EXPECT_EQ(placeNumber(plan.splits, {1, 0, 0, 0}), 36U);
  for (std::uint32_t i = 0; i < plan.splits.tiles(); ++i) {
    EXPECT_EQ(placeNumber(plan.splits, placeOf(plan.splits, i)), i);
  }
}

TEST(EmbeddingLayout, TilesGoAroundTheMachine) {
  EmbeddingPlan plan = laidOut(oddTables(), oddSplits());
  EXPECT_EQ(tileOf(plan, {1, 0, 0, 0}), TileId(36));
  plan.first_tile = 1470;
  EXPECT_EQ(tileOf(plan, {0, 0, 0, 1}), TileId(1471));
  EXPECT_EQ(tileOf(plan, {0, 0, 0, 2}), TileId(0));
}

TEST(EmbeddingLayout, BlocksTileTheTables) {
  const EmbeddingPlan plan = laidOut(oddTables(), oddSplits());
  std::uint64_t elements = 0;
  for (const EmbeddingPlace& place : placesOf(plan)) {
    if (place.look_up == 0) elements += blockOf(plan, place).elements();
  }
  EXPECT_EQ(elements, 3U * 11U * 9U);
  EXPECT_EQ(blockOf(plan, {0, 0, 2, 0}).rows.size(), 3U);
  EXPECT_EQ(blockOf(plan, {1, 0, 0, 0}).groups.size(), 1U);
}

TEST(EmbeddingLayout, ColumnsAreCutByElements) {
  const EmbeddingPlan plan = laidOut(oddTables(), oddSplits());
  for (const std::uint32_t column : {0U, 1U, 2U}) {
    EXPECT_EQ(blockOf(plan, {0, 0, 0, column}).columns.size(), 3U);
  }
}

TEST(EmbeddingLayout, LookUpPartsStoreABlockTogether) {
  const EmbeddingPlan plan = laidOut(oddTables(), oddSplits());
  Cover cover(blockOf(plan, {}).elements());
  for (std::uint32_t part = 0; part < plan.splits.look_ups; ++part) {
    const Range stored = storedElements(plan, {0, part, 0, 0});
    EXPECT_EQ(stored.begin % plan.storage_grain, 0U);
    cover.add(stored);
  }
  EXPECT_TRUE(cover.is(1));
}

TEST(EmbeddingLayout, AllIndicesAreLookedUpByEachPartOfTheTable) {
  const EmbeddingPlan plan = laidOut(oddTables(), oddSplits());
  Cover looked_up(plan.problem.indices);
  Cover held(plan.problem.indices);
  for (const EmbeddingPlace& place : placesOf(plan)) {
    for (std::uint64_t step = 0; step < plan.splits.serial; ++step) {
      looked_up.add(lookedUpIndices(plan, step, place));
      held.add(heldSlices(plan, step, place));
    }
  }
  EXPECT_TRUE(looked_up.is(3 * 3 * 2));  // parts of rows, of columns, of groups
  EXPECT_TRUE(held.is(3 * 2));           // the parts of the rows share them
}

TEST(EmbeddingLayout, APlaceHoldsSlicesThatItLooksUp) {
  const EmbeddingPlan plan = laidOut(oddTables(), oddSplits());
  for (const EmbeddingPlace& place : placesOf(plan)) {
    const Range indices = lookedUpIndices(plan, 1, place);
    const Range held = heldSlices(plan, 1, place);
    EXPECT_LE(indices.size(), 6U);  // 47 in 2 steps and 4 parts
    EXPECT_LE(held.size(), 2U);
    EXPECT_GE(held.begin, indices.begin);
    EXPECT_LE(held.end, indices.end);
  }
}

TEST(EmbeddingLayout, ATileStores32IndicesAtLeast) {
  EmbeddingProblem problem;
  problem.indices = 512;
  EXPECT_EQ(storedIndices(laidOut(problem, {})).size(), 16U);
  problem.indices = 20;
  EXPECT_EQ(storedIndices(laidOut(problem, {})).size(), 1U);
  problem.indices = 100'000;
  const std::vector<Range> many = storedIndices(laidOut(problem, {}));
  EXPECT_EQ(many.size(), 1471U);  // 68 at most on each
  Cover cover(problem.indices);
  for (const Range& range : many) cover.add(range);
  EXPECT_TRUE(cover.is(1));
}

TEST(EmbeddingLayout, TellsWhichStepsALoweringTakes) {
  EmbeddingProblem problem = oddTables();
  EmbeddingPlan plan = laidOut(problem, {});
  EXPECT_FALSE(hasCandidates(plan) || hasPartialTables(plan) || copiesSlicesFirst(plan));
  plan.splits.rows = 3;
  EXPECT_TRUE(hasCandidates(plan));
  EXPECT_FALSE(copiesSlicesFirst(plan));
  plan.splits.rows = 4;
  EXPECT_TRUE(copiesSlicesFirst(plan));
  plan.splits.look_ups = 2;
  EXPECT_TRUE(hasPartialTables(plan));
}

TEST(EmbeddingLayout, OtherTypesOfPartialsAreTablesOfTheirOwn) {
  EmbeddingProblem problem = oddTables();
  problem.type = ElementType::Half;
  problem.partials = ElementType::Float;
  EXPECT_TRUE(hasPartialTables(laidOut(problem, {})));
  EXPECT_TRUE(copiesSlicesFirst(laidOut(problem, {})));
  problem.update = RowUpdate::Maximum;
  EXPECT_FALSE(hasPartialTables(laidOut(problem, {})));
}

}  // namespace
}  // namespace ipusim::workloads
