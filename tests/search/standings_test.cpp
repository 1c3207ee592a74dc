// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/standings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace ipusim::search {
namespace {

using testing::IsEmpty;

/// Points whose results say a rough area.
class StandingsTest : public testing::Test {
 protected:
  StandingsTest() { options.objectives = {{"time.seconds", false}, {"area.die_mm2", false}}; }

  void add(std::uint64_t number, double seconds, double mm2, const std::string& draws) {
    sweep::PointResult result;
    result.result = R"({"area.die_mm2_draws":")" + draws + R"("})";
    store.add(number, "", result);
    feasible.push_back({number, {seconds, mm2}});
  }

  TemporaryFolder folder;
  sweep::SweepStore store{report::OutputFolder(folder.path()), {"1", "{}"}};
  SearchOptions options;
  std::vector<Front::Point> feasible;
};

TEST_F(StandingsTest, APointThatOftenSwapsPlacesWithTheFrontTies) {
  add(0, 1, 10, "10 10 10 10");
  add(1, 2, 11, "11 11 9 11");   // smaller in one draw of four
  add(2, 3, 12, "12 12 12 12");  // dominated in all
  const std::vector<Standing> found = standings(options, store, feasible, {0});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].is_on_front);
  EXPECT_EQ(found[0].undominated_share, 1);
  EXPECT_EQ(found[0].beats_next_share, 0.75);
  EXPECT_FALSE(found[1].is_on_front);
  EXPECT_EQ(found[1].undominated_share, 0.25);
  EXPECT_EQ(found[1].beats_next_share, std::nullopt);
}

TEST_F(StandingsTest, APointOfTheFrontMayBeDominatedInSomeDraws) {
  add(0, 1, 10, "10 10 10 10");
  add(1, 2, 9, "9 9 9 11");
  const std::vector<Standing> found = standings(options, store, feasible, {0, 1});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[1].undominated_share, 0.75);
}

TEST_F(StandingsTest, ExactObjectivesHaveNone) {
  add(0, 1, 10, "10 10 10 10");
  options.objectives = {{"time.seconds", false}, {"machine.tiles", false}};
  EXPECT_THAT(standings(options, store, feasible, {0}), IsEmpty());
}

TEST_F(StandingsTest, WhatIsMaximisedIsBetterWhenLarger) {
  options.objectives[1].maximize = true;
  add(0, 1, -10, "10 10 10 10");
  add(1, 2, -9, "9 9 9 11");
  const std::vector<Standing> found = standings(options, store, feasible, {0});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].beats_next_share, 0.75);
  EXPECT_EQ(found[1].undominated_share, 0.25);
}

}  // namespace
}  // namespace ipusim::search
