// SPDX-License-Identifier: Apache-2.0
#include "tests/conv_planner/resnet50.h"

#include <gtest/gtest.h>

#include <ctime>

#include "tests/support/sanitizer.h"
#include "tests/support/toy_machine.h"

namespace ipusim::workloads {
namespace {

using models::gc200Sdk;
using namespace literals;

/// The sum of the plans of all convolutions.
Cycles forwardCycles(std::uint64_t batch, ElementType type, ElementType partials) {
  Cycles sum(0);
  for (const LayerCount& layer : resnet50Layers(batch, type)) {
    ConvProblem problem;
    problem.params = layer.params;
    problem.pass = ConvPass::InferenceFwd;
    problem.partials = partials;
    sum += planConv(gc200Sdk(), problem).cycles * layer.count;
  }
  return sum;
}

// The expected sums are those of the published planner.

TEST(ResNet50, HalvesTakeThePublishedCyclesAtBatch1) {
  EXPECT_EQ(forwardCycles(1, ElementType::Half, ElementType::Half), 252'419_cycles);
}

TEST(ResNet50, HalvesTakeThePublishedCyclesAtBatch4) {
  EXPECT_EQ(forwardCycles(4, ElementType::Half, ElementType::Half), 617'070_cycles);
}

TEST(ResNet50, HalvesTakeThePublishedCyclesAtBatch16) {
  EXPECT_EQ(forwardCycles(16, ElementType::Half, ElementType::Half), 1'737'772_cycles);
}

TEST(ResNet50, HalvesWithFloatPartialsTakeThePublishedCycles) {
  EXPECT_EQ(forwardCycles(4, ElementType::Half, ElementType::Float), 951'426_cycles);
}

TEST(ResNet50, FloatsTakeThePublishedCycles) {
  EXPECT_EQ(forwardCycles(16, ElementType::Float, ElementType::Float), 4'968'587_cycles);
}

/// The three passes of a training step.
std::vector<ConvProblem> trainingPasses(const ConvParams& forward) {
  return {{forward, ConvPass::TrainingFwd},
          {backwardConv(forward), ConvPass::TrainingBwd},
          {weightUpdateConv(forward), ConvPass::TrainingWu}};
}

TEST(ResNet50, AllPassesArePlannedInTenSeconds) {
  const std::clock_t begin = std::clock();
  for (const LayerCount& layer : resnet50Layers(4, ElementType::Half)) {
    for (const ConvProblem& pass : trainingPasses(layer.params)) {
      EXPECT_GT(planConv(gc200Sdk(), pass).cycles, 0_cycles) << layer.name;
    }
  }
  if (kHasAddressSanitizer) return;  // the limit is that of the program as it is shipped
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 10);
}

}  // namespace
}  // namespace ipusim::workloads
