// SPDX-License-Identifier: Apache-2.0
#include "sim/run/host_cost.h"

#include <gmock/gmock.h>

#include "sim/run/simulate.h"

namespace ipusim::run {
namespace {

TEST(HostWork, CountsTheGraph) {
  Graph graph;
  const Tensor a = graph.addVariable(ElementType::Float, {8}, "a");
  const Tensor b = graph.addVariable(ElementType::Float, {8}, "b");
  graph.setTileMapping(a, TileId(0));
  graph.setTileMapping(b.slice(0, 4, 0), TileId(0));
  graph.setTileMapping(b.slice(4, 8, 0), TileId(1));
  graph.program().add(graph.copy(a, b, "copy"));
  const HostWork work = hostWork(graph, 4);
  EXPECT_EQ(work.tiles, 4U);
  EXPECT_EQ(work.steps, 1U);
  EXPECT_EQ(work.moves, 1U);
  EXPECT_EQ(work.intervals, 3U);
  EXPECT_EQ(work.families, 0U);
}

TEST(HostWork, CountsTheTilesThatTakePartInSteps) {
  Graph graph;
  const Tensor a = graph.addVariable(ElementType::Float, {8}, "a");
  const Tensor b = graph.addVariable(ElementType::Float, {8}, "b");
  graph.setTileMapping(a, TileId(0));
  graph.setTileMapping(b, TileId(1));
  for (int step = 0; step < 10; ++step) graph.program().add(graph.copy(a, b, "copy"));
  const HostWork work = hostWork(graph, 1000);
  EXPECT_EQ(work.steps, 10U);
  EXPECT_EQ(work.tile_steps, 20U);
}

TEST(HostCost, OfAChainOfStepsOnFewTilesIsFarBelowThatOfAllTiles) {
  HostWork chain;
  chain.tiles = 1472;
  chain.steps = 200'000;
  chain.tile_steps = 200'000;
  HostWork all = chain;
  all.tile_steps = chain.tiles * chain.steps;
  EXPECT_LT(hostCost(chain, Engine::ClosedForm).seconds, 10);
  EXPECT_GT(hostCost(all, Engine::ClosedForm).seconds, 300);
}

TEST(HostCost, CountsPairsOfTilesOnOneIpu) {
  HostWork system;
  system.tiles = 256ULL * 1472;
  const double flat = hostCost(system, Engine::ClosedForm).seconds;
  system.ipus = 256;
  EXPECT_LT(hostCost(system, Engine::ClosedForm).seconds, flat / 100);
  EXPECT_LT(hostCost(system, Engine::ClosedForm).memory, Bytes(1'000'000'000));
}

TEST(HostWork, OfAComparisonIsThatOfBothGraphs) {
  std::vector<HostWork> heard;
  (void)prepare(
      ConfigReader::fromFile("configs/runs/butterfly.toml", {{"workload.features", "32"}}),
      [&heard](const RunWork& work) { heard.push_back(work.all); });
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_GT(heard[1].steps, heard[0].steps);
  EXPECT_GT(heard[1].vertices, heard[0].vertices);
}

/// What prepare() says first of `workload`, on the machine of a shipped config.
RunWork firstHeard(const std::string& config, const std::vector<Override>& overrides) {
  struct Enough {
    RunWork work;
  };
  try {
    (void)prepare(ConfigReader::fromFile(config, overrides),
                  [](const RunWork& work) { throw Enough{work}; });
  } catch (const Enough& enough) {
    return enough.work;
  }
  return {};
}

TEST(LeastWork, IsToldBeforeALargeGraphIsBuilt) {
  const RunWork fastfood = firstHeard(
      "configs/runs/fastfood.toml", {{"workload.features", "65536"}, {"workload.batch", "65536"}});
  EXPECT_FALSE(fastfood.is_built);
  EXPECT_EQ(fastfood.all.least.single_elements, 65536.0 * 65536.0);
  // 8192 / 16 lines, each with blocks of 5 cells of 8192 / 16 / 16 blocks, on a batch of 50.
  const RunWork pixelfly =
      firstHeard("configs/runs/pixelfly.toml", {{"workload.features", "8192"}});
  EXPECT_FALSE(pixelfly.is_built);
  EXPECT_EQ(pixelfly.all.least.single_elements, 8192.0 * 5 * 32 * 50);
}

TEST(LeastWork, OfATallImageCountsTheWindowsThatAreWrittenOut) {
  // 9,998 rows of 5 windows, each with the 9 elements of the kernel in all 192 channels.
  const RunWork image = firstHeard("tests/accuracy/inputs/tall_image.toml", {});
  EXPECT_FALSE(image.is_built);
  EXPECT_EQ(image.all.least.view_pieces, 9998.0 * 9);
  EXPECT_EQ(image.all.least.passed, 9998.0 * 9 * 5 * 192);
}

TEST(LeastWork, OfAnOnnxModelGrowsWithTheBatch) {
  const RunWork model = firstHeard("configs/runs/onnx.toml", {{"workload.batch", "16777216"}});
  EXPECT_FALSE(model.is_built);
  // The results of both products have eight rows of the batch in a grain.
  EXPECT_GT(model.all.least.operand_pieces, 2.0 * 16777216 / 8);
  EXPECT_TRUE(firstHeard("configs/runs/onnx.toml", {}).is_built);
}

TEST(LeastWork, OfTrainingADenseLayerCountsItsGradientToo) {
  const RunWork training =
      firstHeard("configs/runs/shl_training_baseline.toml", {{"workload.features", "65536"}});
  EXPECT_FALSE(training.is_built);
  const RunWork alone = firstHeard("configs/runs/linear.toml", {{"workload.in", "65536"},
                                                                {"workload.out", "65536"},
                                                                {"workload.batch", "50"},
                                                                {"machine", "gc200-624k"}});
  EXPECT_FALSE(alone.is_built);
  EXPECT_GT(training.all.least.operand_pieces, 1.5 * alone.all.least.operand_pieces);
}

TEST(LeastWork, OfASmallGraphIsNotTold) {
  EXPECT_TRUE(firstHeard("configs/runs/fastfood.toml", {}).is_built);
}

TEST(HostCost, OfLayersHasTheTimeOfAllAndTheMemoryOfTheLargest) {
  constexpr const char* kLayers =
      "machine = \"toy\"\n[workload]\nkind = \"network\"\ninput = [8]\nbatch = 2\n"
      "layers = \"linear 8; tanh; linear 3; tanh; linear 8\"\ncompile = \"separate\"\n";
  std::vector<RunWork> heard;
  const Experiment experiment = prepare(ConfigReader::fromText(kLayers, "test"),
                                        [&](const RunWork& work) { heard.push_back(work); });
  (void)simulate(experiment, Engine::ClosedForm);
  ASSERT_EQ(heard.size(), 5U);
  EXPECT_GT(heard.back().all.vertices, heard.front().all.vertices);
  EXPECT_EQ(heard[3].held.vertices, heard[1].held.vertices);
  const HostCost cost = hostCost(heard.back(), Engine::ClosedForm);
  EXPECT_EQ(cost.seconds, hostCost(heard.back().all, Engine::ClosedForm).seconds);
  EXPECT_EQ(cost.memory, hostCost(heard.back().held, Engine::ClosedForm).memory);
  EXPECT_LT(cost.memory, hostCost(heard.back().all, Engine::ClosedForm).memory);
}

TEST(ExecutionCost, GrowsWithVerticesFlopsAndData) {
  HostWork work;
  const HostCost none = executionCost(work, 1);
  work.executed_vertices = 1'000'000;
  work.executed_flops = 1e12;
  EXPECT_GT(executionCost(work, 1).seconds, none.seconds + 10);
  EXPECT_EQ(executionCost(work, 2).seconds, executionCost(work, 1).seconds / 2);
  work.data = Bytes(1'000'000'000);
  EXPECT_GE(executionCost(work, 1).memory, none.memory + work.data);
  EXPECT_GT(executionCost(work, 1000).seconds, 1);  // one thread fills and compares data
}

TEST(HostWork, CountsFlopsAndData) {
  std::vector<HostWork> heard;
  (void)prepare(
      ConfigReader::fromFile("configs/runs/matmul.toml",
                             {{"workload.m", "64"}, {"workload.k", "64"}, {"workload.n", "64"}}),
      [&heard](const RunWork& work) { heard.push_back(work.all); });
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_GE(heard[0].executed_flops, 524'288);
  EXPECT_GE(heard[0].data, Bytes(49'152));
}

}  // namespace
}  // namespace ipusim::run
