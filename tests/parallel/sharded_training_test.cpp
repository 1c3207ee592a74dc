// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/parallel/pipeline/report.h"
#include "tests/support/thrown.h"

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;

constexpr double kShardedTrainingClock = 1.33e9;

// Modules: four dense layers, three relus between them, loss.
constexpr const char* kShardedTrainingChain =
    "kind = \"mlp_training\"\ndims = [64, 64, 64, 64, 8]\nbatch = 16\n";
constexpr const char* kShardedTrainingFour =
    "stages = 4\nmicro_batches = 8\nmodules = [2, 2, 2, 2]\n";
constexpr const char* kSharded = "execution = \"sharded\"\n";

ParallelTraining shardedTrainingOf(const std::string& parallel) {
  return readParallel(ConfigReader::fromText(
      fmt::format("machine = {{base = \"pod16\", ipu = {{base = \"gc200\", tiles = "
                  "16}}}}\n[workload]\n{}[parallel]\n{}",
                  kShardedTrainingChain, parallel),
      "run.toml"));
}

ParallelPrediction predictionOfShardedTraining(const std::string& parallel) {
  return predictParallel(shardedTrainingOf(parallel), Engine::ClosedForm);
}

/// A global exchange of four IPUs whose fullest set, of so many links, carries a row of 16 times 64
/// floats.
double shardedExchangeSeconds(int links) {
  return 2 * 2 * 15e-9 + 2000 / kShardedTrainingClock +
         4096 * (1 + 8.0 / 1024) / (links * 17'179'869'184.0 * 0.783);
}

}  // namespace

/// Eight times: four forward and four backward passes, one after the other, and six exchanges. The
/// rungs from IPU 0 to 1 and from 2 to 3 have four links; from 1 to 2 there are two on the way.
TEST(ShardedTraining, IsTheSumOverTheStages) {
  const ParallelPrediction prediction =
      predictionOfShardedTraining(std::string(kSharded) + kShardedTrainingFour);
  std::uint64_t cycles = 0;
  std::uint64_t update = 0;
  for (const StagePrediction& stage : prediction.stages) {
    cycles += stage.cost.forward.length.value() + stage.cost.backward.length.value();
    update = std::max(update, stage.cost.update.length.value());
  }
  const double exchanges = 2 * (2 * shardedExchangeSeconds(4) + shardedExchangeSeconds(2));
  EXPECT_NEAR(prediction.boundary_seconds, exchanges, 1e-13);
  EXPECT_NEAR(prediction.step_seconds,
              8 * (static_cast<double>(cycles) / kShardedTrainingClock + exchanges) +
                  static_cast<double>(update) / kShardedTrainingClock,
              1e-12);
  EXPECT_NEAR(prediction.parts.sum(), prediction.step_seconds, 1e-15);
  EXPECT_NEAR(prediction.parts.serial, 3 * prediction.parts.work, 1e-15);
  EXPECT_EQ(prediction.pipeline_cycles, 0U);
  for (const StagePrediction& stage : prediction.stages) {
    EXPECT_NEAR(stage.time.sum() / prediction.step_seconds, 1, 1e-9);
  }
}

TEST(ShardedTraining, HoldsNoStash) {
  const auto sharded =
      predictionOfShardedTraining(std::string(kSharded) + kShardedTrainingFour).stages;
  const auto pipelined = predictionOfShardedTraining(kShardedTrainingFour).stages;
  for (std::size_t s = 0; s < 4; ++s) {
    const Bytes stash = pipelined[s].cost.held[static_cast<std::size_t>(Holding::Stash)];
    EXPECT_EQ(sharded[s].cost.total() + stash, pipelined[s].cost.total());
    EXPECT_EQ(sharded[s].cost.saved, Bytes(0));
  }
}

TEST(ShardedTraining, NeedsNoMicroBatchesToFillAPipeline) {
  const auto one =
      predictionOfShardedTraining(std::string(kSharded) + "stages = 4\nmodules = [2, 2, 2, 2]\n");
  EXPECT_GT(one.step_seconds, 0);
  EXPECT_THAT(limitOf(one), HasSubstr("of the step goes into"));
}

/// The state takes two transfers at the update, as in a pipeline.
TEST(ShardedTraining, StreamsOptimizerState) {
  const std::string keys = std::string(kSharded) + kShardedTrainingFour;
  const auto on_chip = predictionOfShardedTraining(keys);
  const auto away = predictionOfShardedTraining(keys + "offload = [\"optimizer_state\"]\n");
  const double transfers = 2 * (2000 / kShardedTrainingClock + 16'640 / 5e9);
  EXPECT_NEAR(away.step_seconds - on_chip.step_seconds, transfers, 1e-12);
}

TEST(ShardedTraining, OneStageIsAPipelineOfOneStage) {
  const auto sharded = predictionOfShardedTraining(std::string(kSharded) + "micro_batches = 4\n");
  const auto pipelined = predictionOfShardedTraining("micro_batches = 4\n");
  EXPECT_EQ(sharded.step_seconds, pipelined.step_seconds);
}

TEST(ShardedTraining, SaysThatShardsTakeTurns) {
  const ParallelTraining training = shardedTrainingOf(std::string(kSharded) + kShardedTrainingFour);
  const ParallelPrediction prediction = predictParallel(training, Engine::ClosedForm);
  const std::string text = parallelText(training, prediction);
  EXPECT_THAT(text, HasSubstr("one shard at a time"));
  EXPECT_THAT(text, HasSubstr("waiting for a turn"));
  EXPECT_EQ(parallelJson(training, prediction)["parallel"]["execution"], "sharded");
}

TEST(ShardedTraining, RefusesWhatGainsNothing) {
  const auto refusal = [](const std::string& keys) {
    return configErrorOf([&] { shardedTrainingOf(std::string(kSharded) + "stages = 2\n" + keys); });
  };
  EXPECT_THAT(refusal("offload = [\"activations\"]\n"),
              HasSubstr("offload: wanted no activations beside execution = \"sharded\""));
  EXPECT_THAT(refusal("recomputation = true\n"),
              HasSubstr("recomputation: wanted false beside execution = \"sharded\""));
}

}  // namespace ipusim::parallel
