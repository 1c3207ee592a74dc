// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/compile/layout/memory.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// Computes sparse products through tile memories, and compares them with dense products.

namespace ipusim::run {

namespace {

constexpr const char* kSizes = "m = 96\nk = 160\nn = 37\n";

Experiment sparse(const std::string& machine, const std::string& keys) {
  return prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"sparse_matmul\"\n{}", machine, keys),
      "test"));
}

void expectRight(const std::string& machine, const std::string& keys) {
  const NumberCheck check = checkNumbers(sparse(machine, keys));
  EXPECT_TRUE(check.found.ok) << keys << check.found.relative;
  EXPECT_GT(check.found.max_reference, 0) << keys;
}

}  // namespace

TEST(SparseNumbers, AreThoseOfADenseProductForEveryBlockAndType) {
  for (const int block : {1, 4, 8, 16}) {
    for (const char* types : {"type = \"float\"\n", "type = \"half\"\n",
                              "type = \"half\"\npartials_type = \"float\"\n"}) {
      for (const char* cuts : {"static", "all"}) {
        expectRight("gc200", fmt::format("{}density = 0.1\nblock = {}\n{}cuts = \"{}\"\n", kSizes,
                                         block, types, cuts));
      }
    }
  }
}

TEST(SparseNumbers, AreRightForOneNonZeroEmptyPartsAndADensePattern) {
  for (const char* density : {"0.0001", "0.004", "1.0"}) {
    for (const char* cuts : {"static", "all"}) {
      expectRight("gc200", fmt::format("{}density = {}\ncuts = \"{}\"\n", kSizes, density, cuts));
    }
  }
}

TEST(SparseNumbers, AreRightOnFourTiles) {
  expectRight("toy", "m = 16\nk = 24\nn = 9\ndensity = 0.2\n");
  expectRight("toy", "m = 16\nk = 24\nn = 9\ndensity = 0.2\ncuts = \"all\"\nblock = 4\n");
}

TEST(SparseNumbers, OfAFileAreThoseOfItsPattern) {
  for (const int block : {1, 4}) {
    const Experiment experiment = sparse(
        "toy", fmt::format("file = \"tests/ops/data/arrow.mtx\"\nn = 6\nblock = {}\n", block));
    EXPECT_TRUE(checkNumbers(experiment).found.ok);
    // There are 6 on the diagonal, 4 more in the first row and 4 more in the first column. Each of
    // the four blocks of 4 has one.
    const std::uint64_t non_zeros = block == 1 ? 6 + 2 * 4 : 4 * 16;
    EXPECT_EQ(experiment.workload.nonzero_flops, Flops(2 * non_zeros * 6));
  }
}

TEST(SparseNumbers, AreWrongWithoutOneMessage) {
  Experiment experiment = sparse("gc200", std::string(kSizes) + "density = 0.3\n");
  ASSERT_TRUE(checkNumbers(experiment).found.ok);
  for (compiler::Step& step : experiment.executable.lowered.steps) {
    if (step.kind != StepKind::Exchange) continue;
    step.messages.takeLast();
    break;
  }
  EXPECT_FALSE(checkNumbers(experiment).found.ok);
}

TEST(SparseWork, CountsDenseAndSparseOperationsApart) {
  const RunResult result = simulate(
      sparse("gc200", std::string(kSizes) + "density = 0.25\nblock = 8\n"), Engine::ClosedForm);
  EXPECT_EQ(result.work.flops, Flops(2 * 96 * 160 * 37));
  EXPECT_EQ(result.work.nonzero_flops, Flops(2 * 60 * 64 * 37));  // of 12 x 20 blocks
  EXPECT_DOUBLE_EQ(*result.work.flops_per_second, *result.work.nonzero_flops_per_second * 4);
}

TEST(SparseWork, TakesNoLongerToBuildThanItsTilesAndParts) {
  const Experiment experiment =
      sparse("gc200-624k", "m = 4096\nk = 4096\nn = 4096\ndensity = 0.01\n");
  std::size_t messages = 0;
  for (const compiler::Step& step : experiment.executable.lowered.steps)
    messages += step.messages.size();
  EXPECT_LE(messages, 20U * 1472U);
  EXPECT_LE(experiment.executable.lowered.positions.size(), 8U);
}

}  // namespace ipusim::run
