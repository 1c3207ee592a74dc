// SPDX-License-Identifier: Apache-2.0
#include "sim/report/costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/run/two_tile_run.h"

namespace ipusim::run {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;

RunResult pricedResult() {
  RunResult result = twoTileResult();
  AreaResult area;
  area.die_mm2 = 900.04;
  area.low_die_mm2 = 880;
  area.high_die_mm2 = 921.96;
  area.tile_mm2 = 0.5;
  area.by_part = {450, 100, 100, 150, 60, 40};
  area.larger_than_reticle = true;
  area.draws = {900.125, 890};
  result.area = area;
  result.unpriced.clear();
  return result;
}

Json costsOf(const RunResult& result) {
  Json json = Json::object();
  addCosts(result, json);
  return json;
}

TEST(Costs, AreaIsWrittenWithFourDigits) {
  const Json area = costsOf(pricedResult())["area"];
  EXPECT_EQ(area["die_mm2"], 900);
  EXPECT_EQ(area["high_die_mm2"], 922);
  EXPECT_EQ(area["by_part"]["exchange_mm2"], 150);
  EXPECT_EQ(area["die_mm2_draws"], "900.125 890");
}

TEST(Costs, TheTableSaysThatTheyAreRoughAndThatNoSuchDieIsMade) {
  const std::string text = costsText(pricedResult());
  EXPECT_THAT(text, HasSubstr("rough: a die of 900 mm2 [880, 922]"));
  EXPECT_THAT(text, HasSubstr("LARGER THAN A RETICLE"));
}

TEST(Costs, AMachineWithoutThemSaysWhy) {
  RunResult result = twoTileResult();
  result.unpriced = "not supported: a reason";
  EXPECT_EQ(costsOf(result)["not_priced"], "not supported: a reason");
  EXPECT_THAT(costsText(result), HasSubstr("not supported: a reason"));
}

TEST(Costs, AResultThatWasNotAskedHasNone) {
  RunResult result = twoTileResult();
  result.unpriced.clear();
  EXPECT_THAT(costsOf(result), IsEmpty());
  EXPECT_THAT(costsText(result), IsEmpty());
}

}  // namespace
}  // namespace ipusim::run
