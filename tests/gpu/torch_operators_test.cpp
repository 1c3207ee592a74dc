// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/torch_operators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "ipusim/error.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

/// The kernels, or the views, of a program.
std::uint64_t countOf(const Program& program, bool views) {
  std::uint64_t count = 0;
  for (const Operator& op : program.operators) {
    const bool view = op.call == FrameworkCall::View;
    if (view == views) count += op.times * (view ? 1 : op.kernels.size());
  }
  return count;
}

TEST(ButterflyOperators, AreAProductASumAndThreeViewsAStage) {
  const Program program = butterflyOperators({128, 4});
  EXPECT_EQ(countOf(program, false), 2U * 7);
  EXPECT_EQ(countOf(program, true), 3U * 7);
  EXPECT_THROW(butterflyOperators({100, 4}), InternalError);
}

TEST(ButterflyOperators, DoubleTheirStrideFromStageToStage) {
  std::uint64_t stride = 1;
  for (const Operator& op : butterflyOperators({64, 4}).operators) {
    if (op.name != "sum") continue;
    EXPECT_EQ(std::get<Reduce>(op.kernels.front()).stride, stride);
    stride *= 2;
  }
  EXPECT_EQ(stride, 64U);
}

TEST(ButterflyOperators, AreSlowestWhereStridesAreShort) {
  const Machine h200 = readPreset("h200");
  const ProgramTime time = programTime(h200, butterflyOperators({4096, 4096}), Host::None);
  double longest = 0;
  for (const OperatorTime& op : time.operators) longest = std::max(longest, op.total.seconds);
  // The second sum: 4096 x 4096 / 4 blocks of four results, 32 at a time on 132 multiprocessors,
  // 0.7 us each.
  EXPECT_NEAR(longest / kMicro, 4'194'304 / (32.0 * 132) * 0.7 + 1.8, 0.01);
  ASSERT_EQ(time.operators[5].name, "sum");
  EXPECT_DOUBLE_EQ(time.operators[5].total.seconds, longest);
}

TEST(FastfoodOperators, AreThreeKernelsAStageOfATransform) {
  const Program program = fastfoodOperators({256, 4});
  EXPECT_EQ(countOf(program, false), 2U * 3 * 8 + 4);
  EXPECT_EQ(countOf(program, true), 2U * 6 * 8);
}

TEST(CirculantOperators, CopyAndScaleBesideTheTransformBack) {
  EXPECT_EQ(countOf(circulantOperators({256, 4}), false), 6U);
}

TEST(LowRankOperators, AreTwoProducts) {
  const Program program = lowRankOperators({256, 4}, 8);
  ASSERT_EQ(program.operators.size(), 2U);
  EXPECT_EQ(program.operators.front().call, FrameworkCall::Product);
}

TEST(PixelflyOperators, MultiplyARowOfBlocksInOneProduct) {
  const Program program = pixelflyOperators({{1024, 50}, 64, 32}, 4);
  const auto op = std::find_if(program.operators.begin(), program.operators.end(),
                               [](const Operator& one) { return one.name == "blocks"; });
  ASSERT_NE(op, program.operators.end());
  const GemmShape& shape = std::get<BatchedGemm>(op->kernels.front()).shape;
  EXPECT_EQ(shape.batch, 16U);
  EXPECT_EQ(shape.m, 50U);
  EXPECT_EQ(shape.n, 64U);
  EXPECT_EQ(shape.k, 256U);
  EXPECT_EQ(countOf(program, false), 7U);
  EXPECT_EQ(countOf(pixelflyOperators({{1024, 50}, 64, 0}, 4), false), 4U);
}

TEST(OperatorsInTraining, GrowWithTheStages) {
  const std::uint64_t dense = operatorsInTraining(HiddenLayer::Dense, 1024);
  EXPECT_EQ(operatorsInTraining(HiddenLayer::Butterfly, 1024), dense + 140);
  EXPECT_EQ(operatorsInTraining(HiddenLayer::Circulant, 1024), dense + 20);
  EXPECT_GT(operatorsInTraining(HiddenLayer::Fastfood, 1024),
            operatorsInTraining(HiddenLayer::Butterfly, 1024));
}

}  // namespace
}  // namespace ipusim::gpu
