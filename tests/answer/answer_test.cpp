// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "sim/answer/outcome.h"
#include "tests/support/thrown.h"

namespace ipusim::answer {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;

constexpr const char* kProgram =
    "machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 8\nk = 8\nn = 8\n";
constexpr const char* kParallel =
    "machine = {base = \"pod16\", ipu = \"toy\"}\n"
    "[workload]\nkind = \"mlp_training\"\ndims = [8, 8, 8]\nbatch = 4\n"
    "[parallel]\nreplicas = 2\n";
constexpr const char* kGpu =
    "gpu = \"a30\"\n[program]\nkind = \"linear\"\nwidth = 64\nbatch = 64\n";

ConfigReader configOf(const std::string& text) {
  return ConfigReader::fromText(text, "a.toml");
}

Answer answerTo(const std::string& text) {
  return answerOf(configOf(text));
}

TEST(RunKinds, AreToldByTheKeysOfTheConfig) {
  EXPECT_EQ(kindOf(configOf(kProgram)), RunKind::Program);
  EXPECT_EQ(kindOf(configOf(kParallel)), RunKind::Parallel);
  EXPECT_EQ(kindOf(configOf(kGpu)), RunKind::Gpu);
}

TEST(RunKinds, OthersThanAProgramAreRefusedAtTheirKey) {
  const ProgramWanted wanted{"an IPU", "one program"};
  EXPECT_NO_THROW(expectProgram(configOf(kProgram), wanted));
  EXPECT_THAT(configErrorOf([&] { expectProgram(configOf(kParallel), wanted); }),
              HasSubstr("parallel: wanted one program"));
  EXPECT_THAT(configErrorOf([&] { expectProgram(configOf(kGpu), wanted); }),
              HasSubstr("a.toml:1: gpu: wanted an IPU"));
}

TEST(Answers, AreOfTheKindOfTheConfig) {
  EXPECT_TRUE(std::holds_alternative<ProgramAnswer>(answerTo(kProgram)));
  EXPECT_TRUE(std::holds_alternative<ParallelAnswer>(answerTo(kParallel)));
  EXPECT_TRUE(std::holds_alternative<GpuAnswer>(answerTo(kGpu)));
}

TEST(Answers, SayTheirSchemaAndFitInEveryKind) {
  for (const auto& [text, schema] :
       {std::pair{kProgram, "ipusim-run-2"}, std::pair{kParallel, "ipusim-parallel-1"},
        std::pair{kGpu, "ipusim-gpu-1"}}) {
    const Json json = jsonOf(answerTo(text));
    EXPECT_EQ(json.at("schema"), schema);
    EXPECT_EQ(json.at("fits"), true);
  }
}

TEST(Answers, TellTheWorkOfAProgramBeforeItIsCompiled) {
  AnswerOptions options;
  int told = 0;
  options.on_estimate = [&told](const run::RunWork&) { ++told; };
  options.simulate = [&told](const run::Experiment& experiment) {
    EXPECT_GT(told, 0);
    return run::simulate(experiment, Engine::ClosedForm);
  };
  EXPECT_TRUE(outcomeOf(answerOf(configOf(kProgram), options)).fits);
}

TEST(Answers, OnlyGpusHaveNoPage) {
  EXPECT_EQ(pageKindOf(answerTo(kProgram)), report::PageKind::Run);
  EXPECT_EQ(pageKindOf(answerTo(kParallel)), report::PageKind::Parallel);
  EXPECT_FALSE(pageKindOf(answerTo(kGpu)).has_value());
  EXPECT_TRUE(pageDataOf(answerTo(kGpu)).is_null());
}

TEST(Outcomes, SayTheTimeOfTheResult) {
  const Answer program = answerTo(kProgram);
  EXPECT_EQ(outcomeOf(program).seconds, jsonOf(program).at("time").at("seconds").get<double>());
  const Answer parallel = answerTo(kParallel);
  EXPECT_EQ(outcomeOf(parallel).seconds, jsonOf(parallel).at("step").at("seconds").get<double>());
  const Answer gpu = answerTo(kGpu);
  const Json json = jsonOf(gpu);
  const Json& compare = json.at("compare");
  EXPECT_EQ(outcomeOf(gpu).seconds, std::min(compare.at("a30").at("seconds").get<double>(),
                                             compare.at("a30_tf32").at("seconds").get<double>()));
}

TEST(Outcomes, OfStagesSayWhatLacksAndHowMuchOfWhatThereIs) {
  const Answer answer = answerTo(
      "machine = {base = \"pod16\", ipu = \"toy\"}\n"
      "[workload]\nkind = \"mlp_training\"\ndims = [1024, 1024, 1024]\nbatch = 4\n"
      "[parallel]\nstages = 2\nmicro_batches = 3\n");
  const Outcome outcome = outcomeOf(answer);
  const Json json = jsonOf(answer);
  EXPECT_FALSE(outcome.fits);
  EXPECT_THAT(outcome.overflow,
              DoubleNear(json.at("oom").at("needed_bytes").get<double>() /
                                 json.at("oom").at("capacity_bytes").get<double>() -
                             1,
                         1e-12));
  EXPECT_THAT(outcome.lacks, HasSubstr("a tile of stage "));
}

TEST(Outcomes, SayWhatLacksAndHowMuchOfWhatThereIs) {
  const Answer answer =
      answerTo("machine = \"toy\"\n[workload]\nkind = \"matmul\"\nm = 512\nk = 512\nn = 512\n");
  const Outcome outcome = outcomeOf(answer);
  const Json json = jsonOf(answer);
  EXPECT_FALSE(outcome.fits);
  EXPECT_THAT(outcome.overflow,
              DoubleNear(json.at("oom").at("bytes_over").get<double>() /
                             json.at("memory").at("capacity_tile_bytes").get<double>(),
                         1e-12));
  EXPECT_THAT(outcome.lacks, HasSubstr(" bytes over ("));
}

TEST(Outcomes, OfAGpuThatIsTooSmallHaveNoTime) {
  const Outcome outcome = outcomeOf(
      answerTo("gpu = \"a30\"\n[program]\nkind = \"linear\"\nwidth = 65536\nbatch = 65536\n"));
  EXPECT_FALSE(outcome.fits);
  EXPECT_FALSE(outcome.seconds.has_value());
  EXPECT_THAT(outcome.lacks, HasSubstr("memory of the GPU"));
}

TEST(Outcomes, AreReadAsTheyAreWritten) {
  for (const char* text : {kProgram, kParallel, kGpu}) {
    const Outcome outcome = outcomeOf(answerTo(text));
    const auto read = outcomeFrom(toJson(outcome));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(toJson(*read), toJson(outcome));
  }
}

TEST(Outcomes, OfAnotherFormAreNone) {
  const Json whole = toJson(outcomeOf(answerTo(kProgram)));
  EXPECT_FALSE(outcomeFrom(Json::array()).has_value());
  for (const char* key : {"kind", "fits", "overflow", "lacks", "max_tile_bytes"}) {
    Json without = whole;
    without.erase(key);
    EXPECT_FALSE(outcomeFrom(without).has_value()) << key;
    Json other = whole;
    other[key] = Json::array();
    EXPECT_FALSE(outcomeFrom(other).has_value()) << key;
  }
  Json unknown = whole;
  unknown["kind"] = "toaster";
  EXPECT_FALSE(outcomeFrom(unknown).has_value());
}

}  // namespace
}  // namespace ipusim::answer
