// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ipusim/error.h"
#include "sim/compile/layout/memory.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// Computes products through tile memories, and compares them with those of plain loops over
// doubles.

namespace ipusim::run {

namespace {

using compiler::Block;
using compiler::Executable;
using compiler::Step;

struct ProductShape {
  std::uint64_t m;
  std::uint64_t k;
  std::uint64_t n;
};

Experiment matmul(const std::string& machine, const ProductShape& shape,
                  const std::string& operands) {
  return prepare(ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"matmul\"\nm = {}\nk = {}\nn = {}\n"
                  "operands = \"{}\"\n",
                  machine, shape.m, shape.k, shape.n, operands),
      "test"));
}

void expectRightNumbers(const std::string& machine, const ProductShape& shape) {
  for (const char* operands : {"planned", "linear"}) {
    const NumberCheck check = checkNumbers(matmul(machine, shape, operands));
    EXPECT_LE(check.found.relative, 1e-5)
        << machine << " " << shape.m << "x" << shape.k << "x" << shape.n << " " << operands;
    EXPECT_EQ(check.found.elements, shape.m * shape.n);
  }
}

bool isRight(const Experiment& experiment) {
  return checkNumbers(experiment).found.ok;
}

Step& lastExchange(Executable& executable) {
  const auto found =
      std::find_if(executable.lowered.steps.rbegin(), executable.lowered.steps.rend(),
                   [](const Step& step) { return step.kind == StepKind::Exchange; });
  return *found;
}

}  // namespace

TEST(MatmulNumbers, AreThoseOfTheReferenceOnTheWholeMachine) {
  for (const ProductShape& shape :
       {ProductShape{1, 1, 1}, ProductShape{7, 1, 5}, ProductShape{1, 300, 40},
        ProductShape{97, 101, 103}, ProductShape{64, 64, 1}, ProductShape{130, 4, 260}}) {
    expectRightNumbers("gc200", shape);
  }
}

TEST(MatmulNumbers, AreThoseOfTheReferenceOnFourTiles) {
  for (const ProductShape& shape :
       {ProductShape{1, 1, 1}, ProductShape{3, 2, 1}, ProductShape{17, 19, 23},
        ProductShape{1, 64, 1}, ProductShape{40, 24, 16}, ProductShape{16, 8, 96}}) {
    expectRightNumbers("toy", shape);
  }
}

TEST(MatmulNumbers, OfALongReductionPassThroughSeveralStages) {
  expectRightNumbers("gc200", {4, 5'000, 4});
}

TEST(MatmulNumbers, AreWrongWithoutOneMessage) {
  Experiment experiment = matmul("gc200", {64, 512, 64}, "planned");
  ASSERT_TRUE(isRight(experiment));
  lastExchange(experiment.executable).messages.takeLast();
  EXPECT_FALSE(isRight(experiment));
}

TEST(MatmulNumbers, AreNotComputedWhereOneLifetimeIsTooShort) {
  Experiment experiment = matmul("gc200", {64, 512, 64}, "planned");
  std::vector<Block>& blocks = experiment.executable.lowered.blocks;
  const auto partials = std::find_if(blocks.begin(), blocks.end(), [](const Block& block) {
    return !block.always_live && block.variable != compiler::kNoVariable;
  });
  ASSERT_NE(partials, blocks.end());
  --partials->live.front().last;
  EXPECT_THROW((void)isRight(experiment), InternalError);
}

}  // namespace ipusim::run
