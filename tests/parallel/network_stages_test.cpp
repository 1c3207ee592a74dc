// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "sim/parallel/pipeline/report.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"

// Networks of nodes on several IPUs.

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;

constexpr const char* kSmallPod = "{base = \"pod16\", ipu = {base = \"gc200\", tiles = 16}}";
constexpr const char* kMomentum = "[workload.train]\noptimiser = \"momentum\"\n";

/// A chain of dense layers as a text, and as an mlp.
constexpr const char* kChain =
    "kind = \"network\"\ninput = [64]\nbatch = 16\n"
    "layers = \"linear 64; relu; linear 64; relu; linear 64; relu; linear 8\"\n";
constexpr const char* kMlp = "kind = \"mlp_training\"\ndims = [64, 64, 64, 64, 8]\nbatch = 16\n";

/// A few equal blocks with a residual.
constexpr const char* kNetworkStagesBlocks =
    "kind = \"network\"\ninput = [32]\nbatch = 8\n"
    "layers = \"linear 32; repeat 6 { save in; linear 64; tanh; linear 32; add in }; linear 8\"\n";

ConfigReader configOf(const std::string& workload, const std::string& parallel) {
  return ConfigReader::fromText(
      fmt::format("machine = {}\n[workload]\n{}[parallel]\n{}", kSmallPod, workload, parallel),
      "run.toml");
}

ParallelPrediction stagesPredictionOf(const std::string& workload, const std::string& parallel) {
  return predictParallel(readParallel(configOf(workload, parallel)), Engine::ClosedForm);
}

std::string refusalOfNetworkStages(const std::string& workload, const std::string& parallel) {
  return configErrorOf([&] { readParallel(configOf(workload, parallel)); });
}

Bytes heldAs(Holding holding, const StagePrediction& stage) {
  return stage.cost.held[static_cast<std::size_t>(holding)];
}

std::string withMomentum(const char* network) {
  return std::string(network) + kMomentum;
}

constexpr const char* kNetworkStagesPipeline =
    "stages = 4\nreplicas = 4\nmicro_batches = 8\nmodules = [2, 2, 2, 2]\n";

}  // namespace

/// The text and the kind describe one network.
TEST(NetworkStages, OfAChainCostWhatThoseOfTheMlpDo) {
  const ParallelPrediction network =
      stagesPredictionOf(withMomentum(kChain), kNetworkStagesPipeline);
  const ParallelPrediction mlp = stagesPredictionOf(kMlp, kNetworkStagesPipeline);
  EXPECT_EQ(network.step_seconds, mlp.step_seconds);
  EXPECT_EQ(network.boundary_seconds, mlp.boundary_seconds);
  EXPECT_EQ(network.collective.seconds, mlp.collective.seconds);
  for (std::size_t s = 0; s < mlp.stages.size(); ++s) {
    const StagePrediction& found = network.stages[s];
    EXPECT_EQ(found.cost.sent_forward, mlp.stages[s].cost.sent_forward);
    EXPECT_EQ(found.cost.gradients, mlp.stages[s].cost.gradients);
    for (const Holding holding : {Holding::Weights, Holding::Gradients, Holding::OptimizerState}) {
      EXPECT_EQ(heldAs(holding, found), heldAs(holding, mlp.stages[s])) << s;
    }
  }
}

/// On one IPU without accumulation the stage is the training step that runs without [parallel].
TEST(NetworkStages, OfOneIpuTakeTheTimeOfTheRun) {
  const ParallelPrediction alone = stagesPredictionOf(withMomentum(kNetworkStagesBlocks), "");
  const ConfigReader config = ConfigReader::fromText(
      fmt::format("machine = {{base = \"gc200\", tiles = 16}}\n[workload]\n{}",
                  withMomentum(kNetworkStagesBlocks)),
      "run.toml");
  const double run = run::simulate(config, Engine::ClosedForm).time.seconds;
  EXPECT_NEAR(alone.step_seconds / run, 1, 0.01);
}

TEST(NetworkStages, ThatAreEqualAreCompiledOnce) {
  // Modules: the first layer, six blocks, the last layer, the loss.
  const ParallelPrediction prediction =
      stagesPredictionOf(withMomentum(kNetworkStagesBlocks),
                         "stages = 8\nmicro_batches = 16\nmodules = [1, 1, 1, 1, 1, 1, 1, 2]\n");
  EXPECT_EQ(prediction.programs, 3U);
}

TEST(NetworkStages, AreCutByTheNamesOfLayers) {
  const std::string by_name = "stages = 3\nmicro_batches = 8\ncuts = [\"linear4\", \"linear14\"]\n";
  const std::string by_count = "stages = 3\nmicro_batches = 8\nmodules = [2, 5, 2]\n";
  EXPECT_EQ(stagesPredictionOf(withMomentum(kNetworkStagesBlocks), by_name).step_seconds,
            stagesPredictionOf(withMomentum(kNetworkStagesBlocks), by_count).step_seconds);
}

/// A module keeps its input, and computes all the rest a second time.
TEST(NetworkStages, KeepTheInputsOfModulesThatAreRecomputed) {
  const std::string cut = "stages = 2\nmicro_batches = 4\nmodules = [4, 5]\n";
  const ParallelPrediction plain = stagesPredictionOf(withMomentum(kNetworkStagesBlocks), cut);
  const ParallelPrediction again =
      stagesPredictionOf(withMomentum(kNetworkStagesBlocks),
                         cut + "recomputation = true\ncheckpoints = \"modules\"\n");
  // Four inputs of (8, 32) floats.
  EXPECT_EQ(again.stages[0].cost.saved, Bytes(std::uint64_t{4} * 8 * 32 * 4));
  EXPECT_GT(plain.stages[0].cost.saved, again.stages[0].cost.saved);
  // The backward pass of a block reads what its first layer and the tanh give: less than all.
  const Cycles more(again.stages[0].cost.backward.length.value() -
                    plain.stages[0].cost.backward.length.value());
  EXPECT_GT(5 * more, plain.stages[0].cost.forward.length);
  EXPECT_LT(more, plain.stages[0].cost.forward.length);
  // The last stage has one micro-batch in flight.
  EXPECT_EQ(again.stages[1].cost.backward.length, plain.stages[1].cost.backward.length);
}

TEST(NetworkStages, OfAnMlpMayKeepTheInputsOfModules) {
  const std::string keys =
      "stages = 2\nmicro_batches = 4\nrecomputation = true\ncheckpoints = \"modules\"\n";
  EXPECT_EQ(stagesPredictionOf(kMlp, keys).step_seconds,
            stagesPredictionOf(withMomentum(kChain), keys).step_seconds);
}

TEST(NetworkStages, ShardTheStateOfTheirOptimiser) {
  const std::string lamb =
      std::string(kNetworkStagesBlocks) + "[workload.train]\noptimiser = \"lamb\"\n";
  const std::string replicas = "replicas = 4\nmicro_batches = 4\n";
  const Bytes whole = heldAs(Holding::OptimizerState, stagesPredictionOf(lamb, replicas).stages[0]);
  const Bytes share =
      heldAs(Holding::OptimizerState,
             stagesPredictionOf(lamb, replicas + "replicated_tensor_sharding = true\n").stages[0]);
  EXPECT_NEAR(static_cast<double>(whole.value()) / static_cast<double>(share.value()), 4, 0.2);
}

TEST(NetworkStages, HaveGradientsOfTheirOwnType) {
  const std::string half = std::string(kNetworkStagesBlocks) + "type = \"half\"\n" + kMomentum;
  const Bytes floats = stagesPredictionOf(withMomentum(kNetworkStagesBlocks), "replicas = 4\n")
                           .stages[0]
                           .cost.gradients;
  EXPECT_EQ(2 * stagesPredictionOf(half, "replicas = 4\n").stages[0].cost.gradients.value(),
            floats.value());
}

/// Copies at the ends of modules are all that comes on top.
TEST(NetworkStages, MayBeMeasuredModuleByModule) {
  const std::string cut = "stages = 2\nmicro_batches = 4\nmodules = [4, 5]\n";
  const ParallelPrediction whole = stagesPredictionOf(withMomentum(kNetworkStagesBlocks), cut);
  const ParallelPrediction sum =
      stagesPredictionOf(withMomentum(kNetworkStagesBlocks), cut + "measured = \"modules\"\n");
  for (std::size_t s = 0; s < 2; ++s) {
    const auto passes = [s](const ParallelPrediction& prediction) {
      const StageCost& cost = prediction.stages[s].cost;
      return static_cast<double>((cost.forward.length + cost.backward.length).value());
    };
    EXPECT_GT(passes(sum) / passes(whole), 0.95);
    EXPECT_LT(passes(sum) / passes(whole), 1.4);
    EXPECT_EQ(sum.stages[s].cost.gradients, whole.stages[s].cost.gradients);
    EXPECT_EQ(heldAs(Holding::Weights, sum.stages[s]), heldAs(Holding::Weights, whole.stages[s]));
  }
}

TEST(NetworkStages, AddTheTimeOfTheHost) {
  const double without = stagesPredictionOf(withMomentum(kChain), "").step_seconds;
  const double with =
      stagesPredictionOf(withMomentum(kChain), "host_step_seconds = 0.5\n").step_seconds;
  EXPECT_NEAR(with - without, 0.5, 1e-9);
}

/// With one stage nothing but the passes depends on the ratio.
TEST(NetworkStages, TakeTheRatioOfAFrameworkInTheirPassesAlone) {
  const StepParts without = stagesPredictionOf(withMomentum(kChain), "micro_batches = 4\n").parts;
  const StepParts with =
      stagesPredictionOf(withMomentum(kChain), "micro_batches = 4\npass_time_ratio = 0.5\n").parts;
  EXPECT_NEAR(with.work / without.work, 0.5, 1e-3);
  EXPECT_EQ(with.update, without.update);
  EXPECT_THAT(refusalOfNetworkStages(withMomentum(kChain), "pass_time_ratio = 0\n"),
              HasSubstr("pass_time_ratio"));
}

/// Stages are those of the network that a run on one IPU compiles.
TEST(NetworkStages, AreOfWhatThePassesMake) {
  const auto training_of = [](const std::string& keys) {
    return readParallel(
        configOf("kind = \"network\"\ninput = [8]\nbatch = 4\n"
                 "layers = \"embedding 16 32; attention 2; gelu; linear 8\"\n" +
                     keys + kMomentum,
                 "stages = 2\nmicro_batches = 4\n"));
  };
  const ParallelTraining training = training_of("");
  const std::map<std::string, std::uint64_t> passes{{"fuse_qkv", 1}, {"gelu_tanh", 1}};
  EXPECT_EQ(training.network->passes(), passes);
  const nlohmann::ordered_json json =
      parallelJson(training, predictParallel(training, Engine::ClosedForm));
  EXPECT_EQ(json["passes"]["fuse_qkv"], 1);
  const ParallelTraining apart =
      training_of("passes.fuse_qkv = \"no\"\npasses.gelu_tanh = \"no\"\n");
  EXPECT_TRUE(apart.network->passes().empty());
  EXPECT_NE(predictParallel(apart, Engine::ClosedForm).step_seconds, json["step"]["seconds"]);
}

TEST(NetworkStages, RefuseWhatMeansNothing) {
  EXPECT_THAT(refusalOfNetworkStages(kChain, "stages = 2\n"), HasSubstr("train"));
  EXPECT_THAT(refusalOfNetworkStages(withMomentum(kChain),
                                     "stages = 2\nmicro_batches = 4\ncuts = [\"linaer2\"]\n"),
              HasSubstr("found \"linaer2\" (did you mean linear2?)"));
  EXPECT_THAT(refusalOfNetworkStages(
                  withMomentum(kChain),
                  "stages = 2\nmicro_batches = 4\ncuts = [\"linear2\"]\nmodules = [2, 6]\n"),
              HasSubstr("parallel.cuts"));
  EXPECT_THAT(
      refusalOfNetworkStages(withMomentum(kChain),
                             "stages = 3\nmicro_batches = 8\ncuts = [\"linear3\", \"linear2\"]\n"),
      HasSubstr("order of the network"));
  EXPECT_THAT(refusalOfNetworkStages(withMomentum(kChain),
                                     "stages = 3\nmicro_batches = 8\ncuts = [\"linear2\"]\n"),
              HasSubstr("the first layers of all 3 stages but the first"));
  EXPECT_THAT(refusalOfNetworkStages(withMomentum(kChain), "checkpoints = \"modules\"\n"),
              HasSubstr("recomputation = true"));
}

}  // namespace ipusim::parallel
