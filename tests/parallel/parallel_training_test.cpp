// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/parallel/pipeline/report.h"
#include "sim/run/simulate.h"
#include "sim/run/uncertainty.h"
#include "tests/support/thrown.h"

namespace ipusim::parallel {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kParallelTrainingSmallPod =
    "{base = \"pod16\", ipu = {base = \"gc200\", tiles = 16}}";
constexpr double kClock = 1.33e9;

// Modules: hidden, relu, output, loss.
constexpr const char* kShl =
    "kind = \"shl_training\"\nhidden = \"linear\"\nfeatures = 64\nclasses = 8\nbatch = 16\n";
// Modules: four dense layers, three relus between them, loss.
constexpr const char* kParallelTrainingChain =
    "kind = \"mlp_training\"\ndims = [64, 64, 64, 64, 8]\nbatch = 16\n";

ConfigReader configOfParallelTraining(const std::string& machine, const std::string& workload,
                                      const std::string& parallel) {
  return ConfigReader::fromText(
      fmt::format("machine = {}\n[workload]\n{}[parallel]\n{}", machine, workload, parallel),
      "run.toml");
}

ParallelTraining trainingOf(const std::string& workload, const std::string& parallel) {
  return readParallel(configOfParallelTraining(kParallelTrainingSmallPod, workload, parallel));
}

ParallelPrediction predictionOfParallelTraining(const std::string& workload,
                                                const std::string& parallel) {
  return predictParallel(trainingOf(workload, parallel), Engine::ClosedForm);
}

std::string refusalOfParallelTraining(const std::string& machine, const std::string& parallel) {
  return configErrorOf(
      [&] { readParallel(configOfParallelTraining(machine, kParallelTrainingChain, parallel)); });
}

Bytes heldAs(Holding holding, const StageCost& cost) {
  return cost.held[static_cast<std::size_t>(holding)];
}

/// The longest of some forward and backward passes of one cycle.
struct Cycle {
  std::vector<std::size_t> forward;
  std::vector<std::size_t> backward;
};

/// What the passes take, in which a stage that is in both lists runs one pass after the other.
double secondsOf(const std::vector<Cycle>& cycles, const ParallelPrediction& prediction) {
  double sum = 0;
  for (const Cycle& cycle : cycles) {
    std::vector<std::uint64_t> busy(prediction.stages.size());
    for (const std::size_t s : cycle.forward) {
      busy[s] += prediction.stages[s].cost.forward.length.value();
    }
    for (const std::size_t s : cycle.backward) {
      busy[s] += prediction.stages[s].cost.backward.length.value();
    }
    sum += static_cast<double>(*std::max_element(busy.begin(), busy.end())) / kClock;
  }
  return sum;
}

/// Four stages and eight micro-batches.
const std::vector<Cycle> kFourStages = {{{0}, {}},
                                        {{0, 1}, {}},
                                        {{0, 1, 2}, {}},
                                        {{0, 1, 2, 3}, {3}},
                                        {{0, 1, 2, 3}, {2, 3}},
                                        {{0, 1, 2, 3}, {1, 2, 3}},
                                        {{0, 1, 2, 3}, {0, 1, 2, 3}},
                                        {{0, 1, 2, 3}, {0, 1, 2, 3}},
                                        {{1, 2, 3}, {0, 1, 2, 3}},
                                        {{2, 3}, {0, 1, 2, 3}},
                                        {{3}, {0, 1, 2, 3}},
                                        {{}, {0, 1, 2}},
                                        {{}, {0, 1}},
                                        {{}, {0}}};

constexpr const char* kFourByFour =
    "stages = 4\nreplicas = 4\nmicro_batches = 8\nreplicated_tensor_sharding = true\n";

/// A global exchange of 16 IPUs whose fullest rail, of two links, carries so many bytes: two ways
/// of 15 ns over 1 + 16 / 4 hops, 2,000 cycles, and packets with 8 bytes more per 1,024.
double exchangeSeconds(double rail_bytes) {
  return 2 * 5 * 15e-9 + 2000 / kClock +
         rail_bytes * (1 + 8.0 / 1024) / (2 * 17'179'869'184.0 * 0.783);
}

void expectEveryIpuAddsUp(const ParallelPrediction& prediction) {
  for (const StagePrediction& stage : prediction.stages) {
    EXPECT_NEAR(stage.time.sum() / prediction.step_seconds, 1, 1e-9);
    EXPECT_GE(stage.time.bubble, 0);
    EXPECT_GE(stage.time.sync, 0);
  }
}

}  // namespace

/// Boundaries: (16, 64), (16, 64) and (16, 8) floats. From IPU 1 to 2 the bytes take the rung back
/// to 0 and a rail, of two links each, where they are alone. Gradients: stage 0 has 64 x 64 + 64
/// floats, 16,640 bytes; stage 2 has 64 x 8 + 8, 2,080 bytes. In each of 3 + 3 steps every IPU
/// sends a quarter, 4,160 and 520 bytes. The rail from IPU 2 to 4 is on the way of both.
TEST(ParallelTraining, FourByFourOfTheShlNetworkIsCountedByHand) {
  const ParallelPrediction prediction =
      predictionOfParallelTraining(kShl, std::string(kFourByFour) + "modules = [1, 1, 1, 1]\n");
  const auto& stages = prediction.stages;
  EXPECT_EQ(prediction.pipeline_cycles, 8U + 2 * 4 - 2);
  EXPECT_EQ(prediction.samples, 16U * 8 * 4);
  EXPECT_EQ(stages[0].cost.sent_forward, Bytes(std::uint64_t{16} * 64 * 4));
  EXPECT_EQ(stages[1].cost.sent_forward, Bytes(std::uint64_t{16} * 64 * 4));
  EXPECT_EQ(stages[2].cost.sent_forward, Bytes(std::uint64_t{16} * 8 * 4));
  EXPECT_EQ(stages[3].cost.sent_forward, Bytes(0));
  EXPECT_NEAR(prediction.boundary_seconds, exchangeSeconds(4096), 1e-15);
  EXPECT_THAT(prediction.collective.sent, ElementsAre(Bytes(std::uint64_t{6} * 4160), Bytes(0),
                                                      Bytes(std::uint64_t{6} * 520), Bytes(0)));
  EXPECT_NEAR(prediction.collective.seconds, 6 * exchangeSeconds(4160 + 520), 1e-14);
  std::uint64_t update = 0;
  for (const StagePrediction& stage : stages) {
    update = std::max(update, stage.cost.update.length.value());
  }
  EXPECT_NEAR(prediction.step_seconds,
              secondsOf(kFourStages, prediction) + 14 * prediction.boundary_seconds +
                  prediction.collective.seconds + static_cast<double>(update) / kClock,
              1e-13);
  expectEveryIpuAddsUp(prediction);
}

/// Each stage but the last is a dense layer and a relu. Stages 0 and 2 share the rails of even
/// IPUs, stages 1 and 3 those of odd ones.
TEST(ParallelTraining, FourByFourOfAChainIsCountedByHand) {
  const ParallelPrediction prediction = predictionOfParallelTraining(
      kParallelTrainingChain, std::string(kFourByFour) + "modules = [2, 2, 2, 2]\n");
  EXPECT_NEAR(prediction.boundary_seconds, exchangeSeconds(4096), 1e-15);
  EXPECT_THAT(prediction.collective.sent,
              ElementsAre(Bytes(std::uint64_t{6} * 4160), Bytes(std::uint64_t{6} * 4160),
                          Bytes(std::uint64_t{6} * 4160), Bytes(std::uint64_t{6} * 520)));
  EXPECT_NEAR(prediction.collective.seconds, 6 * exchangeSeconds(4160 + 4160), 1e-14);
  // A micro-batch leaves the input of the layer and the result of the relu.
  for (std::size_t s = 0; s < 3; ++s) {
    const std::uint64_t depth = 2 * (3 - s) + 1;
    const StagePrediction& stage = prediction.stages[s];
    EXPECT_EQ(stage.stash_depth, depth);
    EXPECT_EQ(stage.cost.saved, Bytes(std::uint64_t{2} * 16 * 64 * 4));
    EXPECT_EQ(heldAs(Holding::Stash, stage.cost), depth * stage.cost.saved);
    EXPECT_EQ(heldAs(Holding::Weights, stage.cost), Bytes(16'640));
    EXPECT_EQ(heldAs(Holding::Gradients, stage.cost), Bytes(16'640));
    EXPECT_EQ(heldAs(Holding::OptimizerState, stage.cost), Bytes(16'640 / 4));
  }
  EXPECT_EQ(heldAs(Holding::Stash, prediction.stages[3].cost), Bytes(0));
  // Stages 1 and 2 are equal.
  EXPECT_EQ(prediction.programs, 3U);
  expectEveryIpuAddsUp(prediction);
}

TEST(ParallelTraining, OneIpuIsTheRunOfOneChip) {
  for (const char* workload : {kShl, kParallelTrainingChain}) {
    const std::string keys = workload == kShl
                                 ? std::string(workload) + "copy_batch = \"yes\"\ndense = \"no\"\n"
                                 : std::string(workload);
    const run::RunResult chip = run::simulate(
        ConfigReader::fromText("machine = {base = \"gc200\", tiles = 16}\n[workload]\n" + keys,
                               "one.toml"),
        Engine::ClosedForm);
    const ParallelPrediction prediction = predictionOfParallelTraining(keys, "");
    const StageCost& cost = prediction.stages.front().cost;
    EXPECT_EQ(cost.forward.length + cost.backward.length + cost.update.length, chip.time.cycles);
    EXPECT_DOUBLE_EQ(prediction.step_seconds, chip.time.seconds);
    EXPECT_EQ(cost.total(), chip.memory.total);
    EXPECT_EQ(cost.max_tile_bytes, chip.memory.max_tile_bytes);
    EXPECT_EQ(prediction.parts.collectives, 0);
    EXPECT_EQ(prediction.parts.boundaries, 0);
  }
}

TEST(ParallelTraining, IsEqualOnBothEngines) {
  const ParallelTraining training = trainingOf(kParallelTrainingChain, kFourByFour);
  const ParallelPrediction chip = predictParallel(training, Engine::SystemC);
  const ParallelPrediction closed = predictParallel(training, Engine::ClosedForm);
  EXPECT_EQ(chip.step_seconds, closed.step_seconds);
}

TEST(ParallelTraining, ShardsOfTheOptimizerStateAddUp) {
  const std::string keys = "replicas = {}\nmicro_batches = 2\nreplicated_tensor_sharding = {}\n";
  const auto state = [&](std::uint64_t replicas, bool is_sharded) {
    const auto prediction = predictionOfParallelTraining(
        kParallelTrainingChain, fmt::format(fmt::runtime(keys), replicas, is_sharded));
    return heldAs(Holding::OptimizerState, prediction.stages.front().cost).value();
  };
  const std::uint64_t whole = state(2, false);
  EXPECT_EQ(whole, 4U * (3 * (64 * 64 + 64) + 64 * 8 + 8));
  for (const std::uint64_t replicas : {2U, 4U, 8U, 16U}) {
    const std::uint64_t sum = replicas * state(replicas, true);
    EXPECT_GE(sum, whole);
    // Each of the eight parameters is padded by less than one float per replica.
    EXPECT_LT(sum, whole + std::uint64_t{8} * 4 * replicas);
  }
}

/// The forward and backward pass of a stage do not know of other replicas.
TEST(ParallelTraining, ReplicasChangeTheCollectivesAlone) {
  std::vector<std::uint64_t> forward;
  std::vector<std::uint64_t> backward;
  std::vector<double> work;
  double before = 0;
  for (const int replicas : {1, 2, 4, 8}) {
    const auto prediction = predictionOfParallelTraining(
        kParallelTrainingChain,
        fmt::format("stages = 2\nreplicas = {}\nmicro_batches = 4\n", replicas));
    for (const StagePrediction& stage : prediction.stages) {
      forward.push_back(stage.cost.forward.length.value());
      backward.push_back(stage.cost.backward.length.value());
    }
    work.push_back(prediction.parts.work);
    EXPECT_GE(prediction.parts.collectives, before);
    before = prediction.parts.collectives;
  }
  for (std::size_t i = 2; i < forward.size(); ++i) {
    EXPECT_EQ(forward[i], forward[i - 2]);
    EXPECT_EQ(backward[i], backward[i - 2]);
  }
  EXPECT_THAT(work, Each(work.front()));
}

/// Recomputed stages keep their input of (16, 64) floats alone, and run their forward pass again.
TEST(ParallelTraining, RecomputationTakesTimeForMemory) {
  const std::string keys = "stages = 2\nmicro_batches = 4\nmodules = [4, 4]\nrecomputation = ";
  const StageCost kept =
      predictionOfParallelTraining(kParallelTrainingChain, keys + "false\n").stages[0].cost;
  const StageCost computed =
      predictionOfParallelTraining(kParallelTrainingChain, keys + "true\n").stages[0].cost;
  EXPECT_EQ(kept.saved, Bytes(std::uint64_t{3} * 16 * 64 * 4));
  EXPECT_EQ(computed.saved, Bytes(std::uint64_t{16} * 64 * 4));
  EXPECT_EQ(heldAs(Holding::Stash, computed), 3 * computed.saved);
  EXPECT_GT(computed.backward.length, kept.backward.length);
  EXPECT_LT(computed.forward.length, kept.forward.length);  // less goes to the stash
}

/// Four IPUs share 20 GB/s. Each transfer has the fixed cost of an exchange.
TEST(ParallelTraining, StreamingMemoryTakesActivationsAndState) {
  const std::string keys = "stages = 4\nmicro_batches = 8\nmodules = [2, 2, 2, 2]\n";
  const auto prediction = predictionOfParallelTraining(
      kParallelTrainingChain, keys + "offload = [\"activations\", \"optimizer_state\"]\n");
  const StagePrediction& first = prediction.stages.front();
  EXPECT_EQ(heldAs(Holding::Stash, first.cost), Bytes(0));
  EXPECT_EQ(heldAs(Holding::OptimizerState, first.cost), Bytes(0));
  const double saved = 2 * 16 * 64 * 4;
  EXPECT_EQ(first.cost.streaming, Bytes(std::uint64_t{7} * 2 * 16 * 64 * 4 + 16'640));
  const double fixed = 2000 / kClock;
  EXPECT_NEAR(first.time.streaming, 8 * 2 * (fixed + saved / 5e9) + 2 * (fixed + 16'640 / 5e9),
              1e-12);
  EXPECT_NEAR(prediction.stages.back().time.streaming, 2 * (fixed + 2'080 / 5e9), 1e-12);
  expectEveryIpuAddsUp(prediction);
}

class BalancedStages : public testing::TestWithParam<const char*> {};

TEST_P(BalancedStages, AreNearTheBestCut) {
  const std::string keys =
      fmt::format("stages = 2\nmicro_batches = 4\nrecomputation = {}\n", GetParam());
  const auto automatic = predictionOfParallelTraining(kParallelTrainingChain, keys);
  std::vector<double> steps;
  for (int first = 1; first < 8; ++first) {
    const std::string modules = fmt::format("modules = [{}, {}]\n", first, 8 - first);
    steps.push_back(
        predictionOfParallelTraining(kParallelTrainingChain, keys + modules).step_seconds);
  }
  EXPECT_LE(automatic.step_seconds, 1.05 * *std::min_element(steps.begin(), steps.end()));
}

INSTANTIATE_TEST_SUITE_P(Recomputation, BalancedStages, testing::Values("false", "true"));

/// Four IPUs share the memory of a machine.
TEST(ParallelTraining, NamesTheMachineWhoseStreamingMemoryIsTooSmall) {
  const auto fits = [](const char* bytes) {
    const ParallelTraining training = readParallel(configOfParallelTraining(
        fmt::format("{{base = \"pod16\", streaming_bytes = {}, ipu = {{base = \"gc200\", tiles = "
                    "16}}}}",
                    bytes),
        kParallelTrainingChain,
        "replicas = 8\noffload = [\"activations\", \"optimizer_state\"]\n"));
    return predictParallel(training, Engine::ClosedForm);
  };
  const Bytes each = fits("1_000_000").stages.front().cost.streaming;
  EXPECT_TRUE(fits(std::to_string(4 * each.value()).c_str()).fits());
  const ParallelPrediction small = fits(std::to_string(4 * each.value() - 1).c_str());
  EXPECT_FALSE(small.fits());
  ASSERT_TRUE(small.streaming_overflow);
  EXPECT_EQ(small.streaming_overflow->last_ipu, 3U);
  EXPECT_EQ(small.streaming_overflow->needed, 4 * each);
}

TEST(ParallelTraining, NamesTheStageThatDoesNotFit) {
  const ParallelTraining training =
      trainingOf("kind = \"mlp_training\"\ndims = [2048, 2048, 64, 8]\nbatch = 16\n",
                 "stages = 2\nmicro_batches = 4\nmodules = [2, 4]\n");
  const ParallelPrediction prediction = predictParallel(training, Engine::ClosedForm);
  EXPECT_FALSE(prediction.fits());
  EXPECT_THAT(parallelText(training, prediction), HasSubstr("Stage 0 DOES NOT FIT: tile "));
  const auto json = parallelJson(training, prediction);
  EXPECT_EQ(json["oom"]["stage"], 0);
  EXPECT_GT(json["oom"]["needed_bytes"], json["oom"]["capacity_bytes"]);
}

// One IPU has no links. The more of the time goes over links, the wider is the band.
TEST(ParallelTraining, HasTheSpreadOfLinksInItsBand) {
  const auto width = [](const ParallelPrediction& prediction) {
    EXPECT_NEAR(prediction.low_seconds * prediction.high_seconds,
                prediction.step_seconds * prediction.step_seconds, 1e-18);
    return prediction.high_seconds / prediction.step_seconds;
  };
  const double one =
      width(predictionOfParallelTraining(kParallelTrainingChain, "micro_batches = 4\n"));
  EXPECT_NEAR(one, std::exp(run::spreadOf("mlp_training").spread), 1e-12);
  const double many =
      width(predictionOfParallelTraining(kParallelTrainingChain, "replicas = 16\n"));
  EXPECT_GT(many, one);
  EXPECT_LT(many, std::exp(run::spreadOf(run::kAnyLinks).spread));
}

TEST(ParallelTraining, SaysWhatLimitsScaling) {
  const auto one = predictionOfParallelTraining(kParallelTrainingChain, "replicas = 16\n");
  EXPECT_THAT(limitOf(one), HasSubstr("% of the step goes into the update on the chip"));
  const auto deep = predictionOfParallelTraining(
      kParallelTrainingChain, "stages = 4\nmicro_batches = 7\nmodules = [1, 1, 1, 5]\n");
  EXPECT_THAT(limitOf(deep), EndsWith("would help."));
  EXPECT_NEAR(deep.parts.sum(), deep.step_seconds, 1e-15);
}

TEST(ParallelTraining, IsRefusedWhereNoChipCouldPlayIt) {
  const ParallelTraining training = readParallel(configOfParallelTraining(
      "{base = \"pod16\", ipu = {base = \"gc200\", tiles = 16, exchange = \"bound\"}}",
      kParallelTrainingChain, ""));
  EXPECT_THAT(configErrorOf([&] { predictParallel(training, Engine::SystemC); }),
              HasSubstr("wanted an IPU with exchange = \"scheduled\""));
  EXPECT_GT(predictParallel(training, Engine::ClosedForm).step_seconds, 0);
}

TEST(ParallelTraining, KeepsAllOptimizerStateWhereRacksHaveOneReplica) {
  const ParallelTraining training = readParallel(configOfParallelTraining(
      "{base = \"pod16\", ipus = 4, rack_ipus = 2}", kParallelTrainingChain,
      "stages = 2\nreplicas = 2\nmicro_batches = 4\nreplicated_tensor_sharding = true\n"));
  EXPECT_FALSE(training.shards_optimizer);
  EXPECT_GT(predictParallel(training, Engine::ClosedForm).step_seconds, 0);
}

TEST(ParallelTraining, RefusesWhatNoSystemCanRun) {
  EXPECT_THAT(
      refusalOfParallelTraining("\"pod16\"", "stages = 4\nmicro_batches = 6\n"),
      HasSubstr("run.toml:8: parallel.micro_batches: wanted at least 2 x 4 - 1 = 7 micro-batches"));
  EXPECT_THAT(refusalOfParallelTraining("\"pod16\"", "stages = 2\n"),
              HasSubstr("stages: wanted at least 2 x 2"));
  EXPECT_THAT(refusalOfParallelTraining("\"pod16\"", "replicas = 32\n"),
              HasSubstr("replicas: wanted stages x replicas of at most the 16 IPUs of pod16"));
  EXPECT_THAT(refusalOfParallelTraining("\"c600\"", "replicas = 2\n"),
              HasSubstr("(c600 is one chip), found \"c600\""));
  EXPECT_THAT(refusalOfParallelTraining("\"pod16\"", "replicas = 6\n"),
              HasSubstr("replicas: wanted a power of two"));
  EXPECT_THAT(
      refusalOfParallelTraining("\"pod16\"", "replicas = 2\nstages = 3\nmicro_batches = 8\n"),
      HasSubstr("stages: wanted a power of two"));
  EXPECT_THAT(refusalOfParallelTraining("\"pod16\"", "stages = 9\nmicro_batches = 32\n"),
              HasSubstr("stages: wanted at most the 8 modules of the network"));
  EXPECT_THAT(
      refusalOfParallelTraining("\"pod16\"", "stages = 2\nmicro_batches = 8\nmodules = [4, 5]\n"),
      HasSubstr("modules: wanted one number of modules for each of the 2 stages, 8"));
  EXPECT_THAT(
      refusalOfParallelTraining("{base = \"pod16\", ipus = 12, rack_ipus = 6}", "replicas = 8\n"),
      HasSubstr("replicas: wanted as many whole replicas in each rack of 6 IPUs"));
  EXPECT_THAT(refusalOfParallelTraining("\"c2-pod16\"", "offload = [\"activations\"]\n"),
              HasSubstr("offload: wanted [], for c2-pod16 has no streaming memory"));
  EXPECT_THAT(refusalOfParallelTraining("\"gc200\"", "replicas = 2\n"),
              HasSubstr("machine: wanted a system"));
  EXPECT_THAT(refusalOfParallelTraining("\"pod16\"", "stage = 2\n"),
              HasSubstr("wanted stages, found the unknown key \"stage\""));
  EXPECT_THAT(configErrorOf([] {
                readParallel(configOfParallelTraining(
                    "\"pod16\"", "kind = \"matmul\"\nm = 4\nk = 4\nn = 4\n", ""));
              }),
              HasSubstr("kind: wanted a network that is trained"));
}

}  // namespace ipusim::parallel
