// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"

// Products by vertices that a user wrote.

namespace ipusim::run {
namespace {

using testing::HasSubstr;

ConfigReader variant(const std::string& name, const std::string& sizes,
                     const std::string& more = "") {
  return ConfigReader::fromText(
      fmt::format("machine = \"toy\"\n[workload]\nkind = \"matmul\"\nvariant = \"{}\"\n{}\n{}\n",
                  name, sizes, more),
      "test");
}

constexpr const char* kOddSizes = "m = 13\nk = 7\nn = 5";
constexpr const char* kBlocks = "m = 12\nk = 8\nn = 16";

bool isRight(const ConfigReader& config) {
  return checkNumbers(prepare(config)).found.ok;
}

TEST(MatmulVariants, HaveTheRightNumbers) {
  EXPECT_TRUE(isRight(variant("naive", kOddSizes)));
  EXPECT_TRUE(isRight(variant("naive", "m = 1\nk = 1\nn = 1")));
  EXPECT_TRUE(isRight(variant("blocked", kBlocks, "block = 4")));
}

TEST(MatmulVariants, NaiveIsOneComputeSetWithAVertexARow) {
  // Three tiles below one another have the squarest blocks: 13 rows in all.
  const RunResult result = simulate(variant("naive", kOddSizes), Engine::ClosedForm);
  EXPECT_EQ(result.graph.compute_sets, 1U);
  EXPECT_EQ(result.graph.vertices, 13U);
}

TEST(MatmulVariants, BlockedTakesAStepForEachRoundAndInnerBlock) {
  // 3 x 4 blocks on 4 tiles are 3 rounds, of 2 inner blocks each.
  const RunResult result = simulate(variant("blocked", kBlocks, "block = 4"), Engine::ClosedForm);
  const auto multiplies =
      std::count_if(result.steps.begin(), result.steps.end(),
                    [](const StepResult& step) { return step.name == "Multiply"; });
  EXPECT_EQ(multiplies, 6);
}

TEST(MatmulVariants, SayWhatTheyDoNotTake) {
  EXPECT_THAT(configErrorOf([] { prepare(variant("blocked", kOddSizes, "block = 4")); }),
              HasSubstr("workload.m: wanted a multiple of the block, 4"));
  EXPECT_THAT(configErrorOf([] { prepare(variant("naive", kOddSizes, "type = \"half\"")); }),
              HasSubstr("workload.type: wanted \"float\""));
  EXPECT_THAT(configErrorOf([] { prepare(variant("naive", kOddSizes, "groups = 2")); }),
              HasSubstr("workload.groups: wanted 1"));
  EXPECT_THAT(configErrorOf([] { prepare(variant("naive", kOddSizes, "method = \"amp\"")); }),
              HasSubstr("the unknown key \"method\""));
  EXPECT_THAT(
      configErrorOf([] { prepare(variant("poplin", "m = 2097152\nk = 2097152\nn = 2097152")); }),
      HasSubstr("workload.m: wanted a product of at most 1e18 operations"));
}

}  // namespace
}  // namespace ipusim::run
