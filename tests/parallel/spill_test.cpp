// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/spill.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sim/parallel/pipeline/prediction.h"
#include "sim/parallel/pipeline/report.h"
#include "sim/parallel/pipeline/streaming_rate.h"
#include "tests/support/thrown.h"

// Activations that have no room go to streaming memory.

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;

/// At one time 100 bytes live, of which 60 may be away; at another one 80, of which 10 may.
StashedData twoMoments() {
  return {Bytes(64), {{Bytes(100), Bytes(60)}, {Bytes(80), Bytes(10)}}};
}

ParallelTraining trainingOf(std::uint64_t sram, const std::string& parallel) {
  return readParallel(ConfigReader::fromText(
      fmt::format("machine = {{base = \"pod16\", ipu = {{base = \"gc200\", tiles = 16, "
                  "sram_per_tile_bytes = {}}}}}\n"
                  "[workload]\nkind = \"network\"\ninput = [256]\nbatch = 256\ntrain = {{}}\n"
                  "layers = \"linear 256; repeat 8 {{ tanh; sigmoid }}; linear 8\"\n"
                  "[parallel]\n{}",
                  sram, parallel),
      "run.toml"));
}

ParallelPrediction spilledPredictionOf(std::uint64_t sram, const std::string& parallel) {
  return predictParallel(trainingOf(sram, parallel), Engine::ClosedForm);
}

constexpr std::uint64_t kPlenty = 1'048'576;

}  // namespace

TEST(SpilledShare, IsWhatTheTightestMomentNeeds) {
  EXPECT_EQ(spilledShare(twoMoments(), {Bytes(100), 0}), 0);
  EXPECT_EQ(spilledShare(twoMoments(), {Bytes(79), 0}), 21.0 / 60);
  // The second moment: 5 of 10 bytes. The first one: 25 of 60.
  EXPECT_EQ(spilledShare(twoMoments(), {Bytes(75), 0}), 0.5);
  EXPECT_GT(spilledShare(twoMoments(), {Bytes(69), 0}), 1);
}

TEST(SpilledShare, IsThatOfTheStashToo) {
  // 80 + 2 x 64 bytes, of which 10 + 2 x 64 may be away. The other moment needs 94 of 188.
  const double share = spilledShare(twoMoments(), {Bytes(134), 2});
  EXPECT_EQ(share, 74.0 / 138);
  EXPECT_EQ(stayingBytes(twoMoments(), 2, share), Bytes(134));
  EXPECT_EQ(stayingBytes(twoMoments(), 2, 0), Bytes(228));
}

TEST(SpilledShare, OfNothingHasNoEnd) {
  EXPECT_TRUE(std::isinf(spilledShare({Bytes(0), {{Bytes(9), Bytes(0)}}}, {Bytes(8), 0})));
}

/// Room enough: no time changes. Scratch that lives around a loop is not counted beside spilling.
TEST(Spill, MovesNothingThatFits) {
  for (const char* parallel : {"", "stages = 2\nmicro_batches = 4\n"}) {
    const ParallelPrediction plain = spilledPredictionOf(kPlenty, parallel);
    const ParallelPrediction spilling =
        spilledPredictionOf(kPlenty, std::string(parallel) + "spill = true\n");
    ASSERT_TRUE(plain.fits());
    EXPECT_EQ(spilling.step_seconds, plain.step_seconds);
    for (std::size_t s = 0; s < plain.stages.size(); ++s) {
      EXPECT_EQ(spilling.stages[s].cost.spilled, Bytes(0));
      EXPECT_LE(spilling.stages[s].cost.max_tile_bytes, plain.stages[s].cost.max_tile_bytes);
      EXPECT_EQ(spilling.stages[s].cost.saved, plain.stages[s].cost.saved);
    }
  }
}

/// T = Tc + 2 spill / BW, with the fixed cost of a transfer each way.
TEST(Spill, TakesTheTimeOfBothWays) {
  const ParallelPrediction plain = spilledPredictionOf(kPlenty, "spill = true\n");
  const std::uint64_t less = plain.stages[0].cost.max_tile_bytes.value() - 40'000;
  ASSERT_FALSE(spilledPredictionOf(less, "").fits());
  const ParallelTraining training = trainingOf(less, "spill = true\n");
  const ParallelPrediction spilling = predictParallel(training, Engine::ClosedForm);
  ASSERT_TRUE(spilling.fits());
  const StageCost& cost = spilling.stages[0].cost;
  EXPECT_GE(cost.spilled, Bytes(40'000));
  EXPECT_LT(cost.spilled, Bytes(std::uint64_t{16} * 60'000));
  EXPECT_NEAR(spilling.step_seconds,
              plain.step_seconds + 2 * streamingRate(training).seconds(cost.spilled), 1e-12);
  EXPECT_LE(cost.max_tile_bytes, Bytes(less));
  EXPECT_EQ(cost.streaming, cost.spilled);
}

/// A stage keeps three micro-batches beside its own, so each spills less than one alone would.
TEST(Spill, TakesItsShareOfTheStash) {
  const std::string cut = "stages = 2\nmicro_batches = 4\nmodules = [10, 9]\n";
  const ParallelPrediction plain = spilledPredictionOf(kPlenty, cut + "spill = true\n");
  const std::uint64_t less = plain.stages[0].cost.max_tile_bytes.value() - 40'000;
  const ParallelPrediction spilling = spilledPredictionOf(less, cut + "spill = true\n");
  ASSERT_TRUE(spilling.fits());
  const StageCost& cost = spilling.stages[0].cost;
  EXPECT_EQ(cost.streaming, 4 * cost.spilled);
  EXPECT_GE(4 * cost.spilled, Bytes(40'000));
  EXPECT_LE(cost.max_tile_bytes, Bytes(less));
  EXPECT_GT(spilling.stages[0].time.streaming, 0);
  EXPECT_EQ(spilling.stages[1].time.streaming, 0);
  EXPECT_GT(spilling.step_seconds, plain.step_seconds);
}

/// What nothing can move does not fit.
TEST(Spill, KeepsWhatIsWorkedOn) {
  EXPECT_FALSE(spilledPredictionOf(230'000, "spill = true\n").fits());
}

TEST(Spill, IsInTheResult) {
  const ParallelTraining training = trainingOf(kPlenty, "spill = true\n");
  const auto json = parallelJson(training, predictParallel(training, Engine::ClosedForm));
  EXPECT_EQ(json["stages"][0]["spilled_bytes"], 0);
}

TEST(Spill, IsRefusedBesideOtherWays) {
  const auto refusal = [](const std::string& parallel) {
    return configErrorOf([&] { trainingOf(kPlenty, parallel); });
  };
  EXPECT_THAT(refusal("spill = true\nexecution = \"phased\"\nphases = 2\n"),
              HasSubstr("parallel.spill"));
  EXPECT_THAT(refusal("spill = true\noffload = [\"activations\"]\n"), HasSubstr("parallel.spill"));
  EXPECT_THAT(refusal("spill = true\nmeasured = \"modules\"\n"), HasSubstr("parallel.spill"));
}

}  // namespace ipusim::parallel
