// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/report/json.h"
#include "tests/run/two_tile_run.h"

namespace ipusim::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::IsEmpty;

run::RunResult pricedResult() {
  run::RunResult result = run::twoTileResult();
  run::RunEnergy energy;
  energy.joules = 0.00200049;
  energy.low_joules = 0.001;
  energy.high_joules = 0.004;
  energy.watts = 125;
  energy.per_sample.emplace();
  energy.per_sample->joules = 0.001;
  energy.per_sample->draws = {0.001, 0.0015};
  energy.by_part[static_cast<std::size_t>(energy::EnergyPart::Clock)] = 0.0015;
  energy.by_part[static_cast<std::size_t>(energy::EnergyPart::Sram)] = 0.0005;
  energy.priors_only_joules = 0.0005;
  energy.draws = {0.002, 0.003};
  energy.by_step.resize(result.steps.size());
  energy.by_step.front()[0] = 0.0005;
  result.energy = energy;
  energy::AreaResult area;
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

Json costsOf(const run::RunResult& result) {
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

TEST(Costs, EnergyIsWrittenWithFourDigits) {
  const Json energy = costsOf(pricedResult())["energy"];
  EXPECT_EQ(energy["joules"], 0.002);
  EXPECT_EQ(energy["by_part"], Json({{"clock_joules", 0.0015}, {"sram_joules", 0.0005}}));
  EXPECT_EQ(energy["joules_draws"], "0.002 0.003");
  EXPECT_EQ(energy["joules_per_sample"], 0.001);
  EXPECT_EQ(energy["joules_per_sample_draws"], "0.001 0.0015");
  EXPECT_EQ(energy["picojoules_per_flop"], nullptr);
}

TEST(Costs, StepsHaveTheirJoules) {
  EXPECT_EQ(toJson(pricedResult())["steps"][0]["joules"], 0.0005);
}

TEST(Costs, TheTableNamesWhatIsByPriorsOnly) {
  const std::string text = costsText(pricedResult());
  EXPECT_THAT(text, HasSubstr("rough: 0.002 J [0.001, 0.004], 125 W, 0.001 J a sample, "));
  EXPECT_THAT(text, HasSubstr("clock 75 %,\n          sram 25 %*"));
  EXPECT_THAT(text, HasSubstr("25 % of it (*) by priors only"));
}

TEST(Costs, TheTableSaysThatTheyAreRoughAndThatNoSuchDieIsMade) {
  const std::string text = costsText(pricedResult());
  EXPECT_THAT(text, HasSubstr("rough: a die of 900 mm2 [880, 922]"));
  EXPECT_THAT(text, HasSubstr("LARGER THAN A RETICLE"));
}

TEST(Costs, AMachineWithoutThemSaysWhy) {
  run::RunResult result = run::twoTileResult();
  result.unpriced = "not supported: a reason";
  EXPECT_EQ(costsOf(result)["not_priced"], "not supported: a reason");
  EXPECT_THAT(costsText(result), HasSubstr("not supported: a reason"));
}

TEST(Costs, AResultThatWasNotAskedHasNone) {
  run::RunResult result = run::twoTileResult();
  result.unpriced.clear();
  EXPECT_THAT(costsOf(result), IsEmpty());
  EXPECT_THAT(costsText(result), IsEmpty());
}

}  // namespace
}  // namespace ipusim::report
