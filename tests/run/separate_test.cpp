// SPDX-License-Identifier: Apache-2.0
#include "sim/run/separate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/report/json.h"
#include "sim/report/text/table.h"
#include "sim/run/check/check_experiment.h"
#include "sim/run/compile_cache.h"

namespace ipusim::run {
namespace {

using testing::HasSubstr;

ConfigReader separateConfigOf(const std::string& layers, const std::string& keys = "",
                              const std::string& machine = "\"toy\"") {
  return ConfigReader::fromText("machine = " + machine +
                                    "\n[workload]\nkind = \"network\"\ninput = [8]\nbatch = 4\n"
                                    "layers = \"" +
                                    layers + "\"\n" + keys,
                                "run.toml");
}

RunResult separate(const std::string& layers, const std::string& keys = "") {
  return simulate(separateConfigOf(layers, "compile = \"separate\"\n" + keys), Engine::ClosedForm);
}

RunResult whole(const std::string& layers) {
  return simulate(separateConfigOf(layers), Engine::ClosedForm);
}

Cycles sumOf(const std::vector<LayerResult>& layers) {
  Cycles sum;
  for (const LayerResult& layer : layers) sum += layer.program->cycles;
  return sum;
}

TEST(SeparateLayers, TakeWhatEachTakesAlone) {
  const RunResult result = separate("linear 16; relu");
  ASSERT_EQ(result.layers.size(), 2U);
  EXPECT_EQ(result.layers[0].program->cycles, whole("linear 16").time.cycles);
  EXPECT_EQ(result.time.cycles, sumOf(result.layers));
  EXPECT_GT(result.layers[1].program->cycles, Cycles(0));
}

TEST(SeparateLayers, AreSimulatedOnceWhereTheyAreEqual) {
  const RunResult one = separate("linear 8");
  const RunResult three = separate("repeat 3 { linear 8 }");
  EXPECT_EQ(three.separate->programs, 1U);
  EXPECT_EQ(three.separate->layers, 3U);
  EXPECT_EQ(three.time.cycles, one.time.cycles * 3);
  EXPECT_EQ(three.time.compute, one.time.compute * 3);
  EXPECT_EQ(three.graph.vertices, one.graph.vertices);
  EXPECT_EQ(three.layers[2].program->same_as, "linear1");
  EXPECT_EQ(three.steps.front().iterations, 3U);
}

TEST(SeparateLayers, HaveTheirStepsOneAfterTheOther) {
  const RunResult result = separate("linear 16; relu; relu");
  ASSERT_FALSE(result.steps.empty());
  EXPECT_EQ(result.steps.front().start, Cycles(0));
  Cycles last;
  for (const StepResult& step : result.steps) last = std::max(last, step.end);
  EXPECT_LE(last, result.time.cycles);
  EXPECT_GT(last, result.layers[0].program->cycles + result.layers[1].program->cycles);
  for (const std::uint32_t position : result.positions) EXPECT_LT(position, result.steps.size());
}

TEST(SeparateLayers, HaveTheMemoryOfTheFullest) {
  const std::string layers = "relu; linear 64; linear 8";
  const RunResult result = separate(layers);
  Bytes fullest;
  for (const LayerResult& layer : result.layers) {
    fullest = std::max(fullest, layer.program->max_tile_bytes);
    if (layer.name != result.separate->fullest) continue;
    EXPECT_EQ(layer.program->max_tile_bytes, result.memory.max_tile_bytes);
    EXPECT_EQ(layer.program->total_bytes, result.memory.total);
  }
  EXPECT_EQ(fullest, result.memory.max_tile_bytes);
  EXPECT_LT(fullest, whole(layers).memory.max_tile_bytes);
}

TEST(SeparateLayers, SayWhichDoNotFit) {
  const std::string machine = "{base = \"toy\", sram_per_tile_bytes = 32768}";
  const auto config =
      separateConfigOf("relu; linear 4096; linear 8", "compile = \"separate\"", machine);
  const RunResult result = simulate(config, Engine::ClosedForm);
  EXPECT_FALSE(result.fits());
  EXPECT_EQ(result.separate->do_not_fit, 2U);
  EXPECT_TRUE(result.layers[0].program->fits);
  EXPECT_FALSE(result.layers[1].program->fits);
  EXPECT_THAT(report::tableText(result), HasSubstr("2 DO NOT FIT"));
}

TEST(SeparateLayers, RunForEachStepOfTheTraining) {
  const RunResult one = separate("linear 8; linear 3", "train = {}");
  const RunResult five = separate("linear 8; linear 3", "train = {steps = 5}");
  EXPECT_EQ(five.time.cycles, one.time.cycles * 5);
  EXPECT_EQ(five.separate->rounds, 5U);
  EXPECT_EQ(five.layers[0].program->cycles, one.layers[0].program->cycles);
  EXPECT_DOUBLE_EQ(five.training->step_seconds, one.training->step_seconds);
  ASSERT_EQ(five.program.size(), 1U);
  EXPECT_EQ(std::get<ProgramLoop>(five.program.front()).iterations, 5U);
  EXPECT_EQ(five.layers.back().name, "loss");
  EXPECT_GT(five.layers[0].update, Cycles(0));
  EXPECT_EQ(five.layers[0].update, one.layers[0].update * 5);
}

TEST(SeparateLayers, AreEqualOnBothEngines) {
  const auto config = separateConfigOf("linear 16; relu", "compile = \"separate\"");
  EXPECT_EQ(simulate(config, Engine::SystemC).time.cycles,
            simulate(config, Engine::ClosedForm).time.cycles);
}

TEST(SeparateLayers, HaveTheRightNumbers) {
  for (const char* keys : {"compile = \"separate\"", "compile = \"separate\"\ntrain = {}"}) {
    const auto check =
        checkNumbers(prepare(separateConfigOf("linear 8; relu; save a; linear 8; add a; "
                                              "layer_norm; linear 3",
                                              keys)));
    EXPECT_TRUE(check.found.ok) << check.found.output;
    EXPECT_GT(check.found.elements, 100U);
  }
}

TEST(SeparateLayers, AreCompiledAgainForAnotherMachine) {
  CompileCache cache;
  const std::string keys = "compile = \"separate\"";
  const std::string slow = "{base = \"toy\", clock_hz = 5e8}";
  static_cast<void>(cache.prepare(separateConfigOf("linear 16; relu", keys)));
  const RunResult again =
      simulate(cache.prepare(separateConfigOf("linear 16; relu", keys, slow)), Engine::ClosedForm);
  const RunResult fresh =
      simulate(separateConfigOf("linear 16; relu", keys, slow), Engine::ClosedForm);
  EXPECT_EQ(report::toJson(again), report::toJson(fresh));
}

TEST(SeparateLayers, SayWhatTheirSumLeavesOut) {
  const RunResult result = separate("linear 16; relu");
  // 4 x 8, 8 x 16, 16 and 4 x 16; and twice 4 x 16.
  EXPECT_EQ(result.separate->operands, Bytes(4ULL * (32 + 128 + 16 + 64 + 2 * 64)));
  EXPECT_THAT(report::tableText(result), HasSubstr("is not in it"));
}

}  // namespace
}  // namespace ipusim::run
