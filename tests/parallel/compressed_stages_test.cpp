// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sim/parallel/pipeline/report.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"

// Networks on several IPUs whose activations wait for the backward pass as codes.

namespace ipusim::parallel {
namespace {

using testing::HasSubstr;

/// Modules: linear1, tanh1, linear2, tanh2, linear3, the loss.
constexpr const char* kLayers = "linear 64; tanh; linear 64; tanh; linear 8";
constexpr const char* kBlocks =
    "linear 32; repeat 6 { save in; linear 64; tanh; linear 32; add in }; linear 8";
constexpr const char* kPipeline = "stages = 2\nmicro_batches = 4\nmodules = [3, 3]\n";
constexpr const char* kLevels = "codec = \"quantise\", bits = 8";

ConfigReader compressedConfigOf(const std::string& layers, const std::string& compress,
                                const std::string& parallel) {
  const std::string table = compress.empty() ? "" : "compress = {" + compress + "}\n";
  return ConfigReader::fromText(
      fmt::format("machine = {{base = \"pod16\", ipu = {{base = \"gc200\", tiles = 16}}}}\n"
                  "[workload]\nkind = \"network\"\ninput = [64]\nbatch = 16\ntrain = {{}}\n"
                  "layers = \"{}\"\n{}[parallel]\n{}",
                  layers, table, parallel),
      "run.toml");
}

ParallelPrediction compressedPredictionOf(const std::string& compress, const std::string& parallel,
                                          const std::string& layers = kLayers) {
  return predictParallel(readParallel(compressedConfigOf(layers, compress, parallel)),
                         Engine::ClosedForm);
}

/// The result without the config that was asked for.
std::string resultOf(const std::string& compress, const std::string& parallel) {
  const ParallelTraining training = readParallel(compressedConfigOf(kLayers, compress, parallel));
  auto json = parallelJson(training, predictParallel(training, Engine::ClosedForm));
  json.erase("config");
  return json.dump();
}

std::string refusalOf(const std::string& compress, const std::string& parallel) {
  return configErrorOf([&] { readParallel(compressedConfigOf(kLayers, compress, parallel)); });
}

constexpr std::uint64_t kRows = 16;
constexpr std::uint64_t kFloats = kRows * 64 * 4;  // bytes of a tensor (16, 64)
constexpr std::uint64_t kCodes = kRows * 64 + 4;   // with the scale

}  // namespace

TEST(CompressedStages, WithoutCodesAreThoseOfTheNetwork) {
  for (const char* parallel : {"", kPipeline, "replicas = 4\n",
                               "execution = \"phased\"\nphases = 2\n"
                               "offload = [\"activations\"]\n"}) {
    const std::string plain = resultOf("", parallel);
    EXPECT_EQ(resultOf("codec = \"none\", chop = 2", parallel), plain);
    EXPECT_EQ(resultOf("codec = \"quantise\", target_bytes = 1000000", parallel), plain);
    EXPECT_NE(resultOf(kLevels, parallel), plain);
  }
}

TEST(CompressedStages, SayThatTheTargetIsOutOfReach) {
  const auto warnings_of = [](const std::string& compress) {
    return readParallel(compressedConfigOf(kLayers, compress, kPipeline)).warnings();
  };
  EXPECT_THAT(warnings_of("codec = \"quantise\", target_bytes = 100"),
              testing::ElementsAre(HasSubstr("bytes stay saved for the backward pass, more than "
                                             "the 100 wanted")));
  EXPECT_THAT(warnings_of("codec = \"quantise\", target_bytes = 1000000"), testing::IsEmpty());
}

TEST(CompressedStages, RecomputeAllWhereNothingIsCoded) {
  const std::string recomputing = std::string(kPipeline) + "recomputation = true\n";
  EXPECT_EQ(resultOf("codec = \"quantise\", target_bytes = 1000000", recomputing),
            resultOf("", recomputing));
  EXPECT_THAT(refusalOf(kLevels, recomputing), HasSubstr("recomputation: wanted false"));
}

/// The first stage keeps its input, which the host sends, and its only result of a tanh.
TEST(CompressedStages, KeepCodesInTheStash) {
  const StageCost plain = compressedPredictionOf("", kPipeline).stages[0].cost;
  const StageCost coded = compressedPredictionOf(kLevels, kPipeline).stages[0].cost;
  EXPECT_EQ(plain.saved, Bytes(kFloats + kFloats));
  EXPECT_EQ(coded.saved, Bytes(kFloats + kCodes));
  const auto stash = static_cast<std::size_t>(Holding::Stash);
  EXPECT_EQ(coded.held[stash], 3 * coded.saved);
}

/// Saved memory falls from A to A / CR. What the compiler sees differs by the scales alone.
TEST(CompressedStages, SaveWhatTheRatioSays) {
  const std::string layers = "repeat 4 { linear 64; tanh }; linear 8";
  const std::string cut = "stages = 2\nmicro_batches = 4\nmodules = [8, 2]\n";
  const Bytes plain = compressedPredictionOf("", cut, layers).stages[0].cost.saved;
  const Bytes coded = compressedPredictionOf(kLevels, cut, layers).stages[0].cost.saved;
  constexpr std::uint64_t kTensors = 4;
  constexpr double kRatio = 32.0 / 8;
  const double by_formula = static_cast<double>(kTensors * kFloats) * (1 - 1 / kRatio);
  const auto by_compiler = static_cast<double>(plain.value() - coded.value());
  EXPECT_NEAR(by_compiler / by_formula, 1, 0.02);
  constexpr double kScales = kTensors * 4;
  EXPECT_EQ(by_formula - by_compiler, kScales);
}

/// What another IPU sends is coded as it would be on one IPU, and does not lie in wait as it came.
TEST(CompressedStages, CodeWhatAnotherIpuSends) {
  const std::string cut = "stages = 3\nmicro_batches = 8\nmodules = [2, 1, 3]\n";
  const StageCost plain = compressedPredictionOf("", cut).stages[1].cost;
  const StageCost coded = compressedPredictionOf(kLevels, cut).stages[1].cost;
  EXPECT_EQ(plain.saved, Bytes(kFloats));
  EXPECT_EQ(coded.saved, Bytes(kCodes));
  EXPECT_EQ(coded.sent_forward, plain.sent_forward);
}

TEST(CompressedStages, EncodeForwardAndDecodeBackward) {
  const StageCost plain = compressedPredictionOf("", kPipeline).stages[0].cost;
  const StageCost coded = compressedPredictionOf(kLevels, kPipeline).stages[0].cost;
  EXPECT_GT(coded.forward.length, plain.forward.length);
  EXPECT_GT(coded.backward.length, plain.backward.length);
  EXPECT_EQ(coded.update.length, plain.update.length);
}

/// The choice is that of the whole network, though the name is that of a tensor of one stage.
TEST(CompressedStages, CodeTheTensorsThatAreNamed) {
  const std::string named = std::string(kLevels) + ", tensors = [\"tanh2\"]";
  const ParallelPrediction plain = compressedPredictionOf("", kPipeline);
  const ParallelPrediction coded = compressedPredictionOf(named, kPipeline);
  EXPECT_EQ(coded.stages[0].cost.forward.length, plain.stages[0].cost.forward.length);
  EXPECT_GT(coded.stages[1].cost.forward.length, plain.stages[1].cost.forward.length);
}

/// Blocks that are equal but for their codes are programs of their own.
TEST(CompressedStages, OfOtherCodesAreCompiledApart) {
  const std::string cut = "stages = 8\nmicro_batches = 16\nmodules = [1, 1, 1, 1, 1, 1, 1, 2]\n";
  EXPECT_EQ(compressedPredictionOf(kLevels, cut, kBlocks).programs, 3U);
  const std::string named = std::string(kLevels) + ", tensors = [\"tanh4\"]";
  EXPECT_EQ(compressedPredictionOf(named, cut, kBlocks).programs, 4U);
}

/// On one IPU without accumulation the stage is the compressed step that runs without [parallel].
TEST(CompressedStages, OfOneIpuTakeTheTimeOfTheRun) {
  const double alone = compressedPredictionOf(kLevels, "").step_seconds;
  const ConfigReader config = ConfigReader::fromText(
      fmt::format("machine = {{base = \"gc200\", tiles = 16}}\n[workload]\nkind = \"network\"\n"
                  "input = [64]\nbatch = 16\ntrain = {{}}\nlayers = \"{}\"\ncompress = {{{}}}\n",
                  kLayers, kLevels),
      "run.toml");
  const double run = run::simulate(config, Engine::ClosedForm).time.seconds;
  EXPECT_NEAR(alone / run, 1, 0.01);
}

/// A forward phase stores codes, and a backward phase loads them. What a phase hands to the next
/// one is exact.
TEST(CompressedStages, MoveCodesToStreamingMemory) {
  const std::string phased =
      "execution = \"phased\"\nphases = 2\nmodules = [3, 3]\noffload = [\"activations\"]\n";
  const Transfers plain = compressedPredictionOf("", phased).phases[0].cost.moved;
  const Transfers coded = compressedPredictionOf(kLevels, phased).phases[0].cost.moved;
  EXPECT_EQ(plain.store.value() - coded.store.value(), kFloats - kCodes);
}

TEST(CompressedStages, RecomputeFromCodes) {
  const std::string cut = std::string("stages = 2\nmicro_batches = 4\nmodules = [4, 5]\n") +
                          "recomputation = true\ncheckpoints = \"modules\"\n";
  // Four inputs of (16, 32) floats, of which the codec leaves that of the host alone.
  const StageCost plain = compressedPredictionOf("", cut, kBlocks).stages[0].cost;
  const StageCost coded = compressedPredictionOf(kLevels, cut, kBlocks).stages[0].cost;
  EXPECT_LT(coded.saved, plain.saved);
}

TEST(CompressedStages, RefuseWhatMeansNothing) {
  EXPECT_THAT(refusalOf(kLevels, std::string(kPipeline) + "recomputation = true\n"),
              HasSubstr("parallel.recomputation: wanted false beside codes"));
  EXPECT_THAT(refusalOf("codec = \"quantise\", tensors = [\"tanh9\"]", kPipeline),
              HasSubstr("workload.compress: "));
  EXPECT_THAT(refusalOf("codec = \"none\", chpo = 2", ""), HasSubstr("chpo"));
}

}  // namespace ipusim::parallel
