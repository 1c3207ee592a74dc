// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <ctime>

#include "sim/parallel/pipeline/prediction.h"
#include "tests/support/sanitizer.h"

// What training on several IPUs takes of this computer.

namespace ipusim::parallel {
namespace {

constexpr double kMostSeconds = 20;
constexpr std::int64_t kMostKiB = 2'000'000;

ParallelTraining pipeline(const std::string& system, int replicas) {
  return readParallel(ConfigReader::fromFile(
      "configs/parallel/mlp_pipeline.toml",
      {{"machine", system}, {"parallel.replicas", std::to_string(replicas)}}));
}

}  // namespace

TEST(ParallelCost, OfEightStagesOnSixtyFourIpusIsSmall) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "sanitizers take time and memory of their own";
  const std::clock_t begin = std::clock();
  const ParallelPrediction prediction = predictParallel(pipeline("pod64", 8), Engine::SystemC);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  EXPECT_EQ(prediction.stages.size(), 8U);
  EXPECT_TRUE(prediction.fits());
  EXPECT_LT(seconds, kMostSeconds);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, kMostKiB);
}

/// Replicas add no program. Stages between the first and the last are equal.
TEST(ParallelCost, GrowsWithDistinctStagesAndNotWithReplicas) {
  if (kHasAddressSanitizer) GTEST_SKIP() << "sanitizers take time and memory of their own";
  const auto programs = [](int replicas) {
    return predictParallel(pipeline("pod256", replicas), Engine::ClosedForm).programs;
  };
  const std::size_t alone = programs(1);
  EXPECT_EQ(programs(32), alone);
  // The first, middle and last stages, and the modules that were measured to find the cuts: the
  // first layer, other layers, the last one, a relu and the loss. Those are of one size here, but
  // that the first has no gradient of its input.
  EXPECT_LE(alone, 3U + 5);
}

}  // namespace ipusim::parallel
