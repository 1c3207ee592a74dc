// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// Whole programs by the strict run, which may take no byte that nothing has written.

namespace ipusim::workloads {
namespace {

constexpr executor::CheckOptions kStrict{executor::Checking::Strict, 2};

run::Experiment experimentForStrict(const std::string& workload) {
  return run::prepare(ConfigReader::fromText(
      fmt::format("machine = \"toy\"\n[workload]\nkind = {}\n", workload), "test"));
}

/// Small programs; sizes that do not divide make padding.
const char* const kWorkloads[] = {
    "\"matmul\"\nm = 13\nk = 19\nn = 10",
    "\"matmul\"\nm = 13\nk = 19\nn = 10\ntype = \"half\"",
    "\"matmul\"\nm = 13\nk = 19\nn = 10\noperands = \"linear\"",
    "\"linear\"\nin = 18\nout = 10\nbatch = 7",
    "\"butterfly\"\nfeatures = 16\nbatch = 5",
    "\"butterfly\"\nfeatures = 16\nbatch = 5\nlowering = \"fused\"",
    "\"fastfood\"\nfeatures = 16\nbatch = 5",
    "\"circulant\"\nfeatures = 16\nbatch = 5",
    "\"low_rank\"\nfeatures = 16\nrank = 2\nbatch = 5",
    "\"pixelfly\"\nfeatures = 16\nbatch = 5\nbutterfly_size = 4\nblock = 4\nrank = 2",
    "\"sparse_matmul\"\nm = 32\nk = 32\nn = 10\ndensity = 0.1",
    "\"shl_training\"\nhidden = \"linear\"\nfeatures = 8\nclasses = 3\nbatch = 5\nsteps = 2",
    "\"shl_training\"\nhidden = \"butterfly\"\nfeatures = 8\nclasses = 3\nbatch = 5\nsteps = 2"};

TEST(StrictRun, FindsNothingInRightPrograms) {
  for (const char* workload : kWorkloads) {
    SCOPED_TRACE(workload);
    const run::Experiment program = experimentForStrict(workload);
    const executor::CheckResult fast = run::checkNumbers(program).found;
    const executor::CheckResult strict = run::checkNumbers(program, kStrict).found;
    EXPECT_TRUE(fast.ok);
    EXPECT_TRUE(strict.ok);
    EXPECT_EQ(strict.max_error, fast.max_error);
    EXPECT_EQ(strict.found, fast.found);
  }
}

/// A product whose channels are padded, without the step that clears the padding.
TEST(StrictRun, FindsPaddingThatNobodyClears) {
  run::Experiment program = experimentForStrict(kWorkloads[0]);
  ASSERT_NO_THROW((void)run::checkNumbers(program, kStrict));
  bool cleared = false;
  for (compiler::Step& step : program.executable.lowered.steps) {
    if (step.name.find("Padding") == std::string::npos) continue;
    step.families.clear();
    cleared = true;
  }
  ASSERT_TRUE(cleared);
  EXPECT_THROW((void)run::checkNumbers(program, kStrict), InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
