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

TEST(HostWork, OfAComparisonIsThatOfBothGraphs) {
  std::vector<HostWork> heard;
  (void)prepare(
      ConfigReader::fromFile("configs/runs/butterfly.toml", {{"workload.features", "32"}}),
      [&heard](const HostWork& work) { heard.push_back(work); });
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_GT(heard[1].steps, heard[0].steps);
  EXPECT_GT(heard[1].vertices, heard[0].vertices);
}

}  // namespace
}  // namespace ipusim::run
