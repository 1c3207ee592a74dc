// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/run/simulate.h"

// Compares counts and memory of programs of products with recorded profiles. Checks steps whose
// cost is not the planner's.

namespace ipusim::run {

namespace {

RunResult chain(const std::string& dims, const std::string& types) {
  return simulate(ConfigReader::fromText(
                      fmt::format("machine = \"gc200-624k\"\n[workload]\nkind = \"matmul_chain\"\n"
                                  "dims = [{}]\n{}",
                                  dims, types),
                      "test"),
                  Engine::ClosedForm);
}

Experiment unevenProduct() {
  return prepare(ConfigReader::fromText(
      "machine = \"gc200\"\n[workload]\nkind = \"matmul\"\nm = 97\nk = 101\nn = 103\n", "test"));
}

const StepResult& stepCalled(const RunResult& result, const std::string& name) {
  return *std::find_if(result.steps.begin(), result.steps.end(),
                       [&name](const StepResult& step) { return step.name == name; });
}

}  // namespace

TEST(MatmulChain, HasTheComputeSetsOfARecordedProfile) {
  // graphcore/examples: 900x600 by 600x300 by 300x200, 9 compute sets in the whole program.
  EXPECT_EQ(chain("900, 600, 300, 200", "type = \"float\"\n").graph.compute_sets, 9U);
}

TEST(MatmulChain, TakesTheMemoryOfARecordedProfile) {
  // graphcore/tensorflow tests, 1472 tiles: 110,756,364 B in all and 77,116 B on the worst tile,
  // both without code. The recorded program also broadcasts one operand.
  const RunResult result = chain("1024, 1024, 1024, 1024", "type = \"half\"\n");
  EXPECT_NEAR(static_cast<double>(result.memory.total_without_code.value()), 110'756'364,
              0.25 * 110'756'364);
  EXPECT_NEAR(static_cast<double>(result.memory.max_tile_without_code.value()), 77'116,
              0.25 * 77'116);
}

TEST(MatmulChain, EqualProductsShareTheirComputeSets) {
  const RunResult one = chain("256, 256, 256", "type = \"half\"\n");
  const RunResult two = chain("256, 256, 256, 256", "type = \"half\"\n");
  EXPECT_EQ(stepCalled(two, "shared0/Convolve").iterations, 2U);
  EXPECT_EQ(stepCalled(two, "shared0/Convolve").cycles,
            stepCalled(one, "matmul0/Convolve").cycles * 2);
}

TEST(MatmulSteps, OfUnevenSplitsDoNotCostWhatThePlannerSays) {
  const Experiment experiment = unevenProduct();
  const RunResult result = simulate(experiment, Engine::ClosedForm);
  // 97, 101 and 103 divide by no split: some tiles have less to multiply than others. The reduction
  // is cut by what the tiles hold.
  const StepResult& convolve = stepCalled(result, "matmul/Convolve");
  EXPECT_LT(convolve.mean_cycles, 0.98 * static_cast<double>(convolve.cycles.value()));
  EXPECT_NE(result.time.cycles, experiment.workload.plan->estimated_cycles);
}

}  // namespace ipusim::run
