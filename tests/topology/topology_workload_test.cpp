// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/topology/topology_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/registry/registry.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"
#include "workloads/networks/graph/counts.h"

namespace ipusim::interop {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

workloads::LayerNetwork networkOf(const TopologyConvolution& conv, std::uint64_t batch = 1) {
  return networkOf(TopologyLayer{"A", 2, conv}, batch, ElementType::Float);
}

Shape resultOf(const workloads::LayerNetwork& layer) {
  return layer.graph.shapeOf(layer.outputs.front());
}

TEST(TopologyNetwork, HasTheResultOfTheFormula) {
  // ceil((7 - 3 + 2) / 2) = 3, and ceil((8 - 3 + 2) / 2) = 4: a window reaches over the edge.
  EXPECT_EQ(resultOf(networkOf({7, 8, 3, 3, 4, 16, 2, 2, false}, 5)), (Shape{5, 16, 3, 4}));
  // A window may lie beyond the edge: ceil((4 - 1 + 2) / 2) = 3.
  EXPECT_EQ(resultOf(networkOf({4, 4, 1, 1, 4, 8, 2, 1, false})), (Shape{1, 8, 3, 4}));
}

TEST(TopologyNetwork, CountsTheMultiplyAddsOfItsWindows) {
  const workloads::LayerNetwork layer = networkOf({7, 8, 3, 3, 4, 16, 2, 2, false});
  EXPECT_EQ(workloads::flopsOf(layer.graph, workloads::NetworkPass::Forward),
            Flops(2ULL * 3 * 4 * 9 * 4 * 16));
}

TEST(TopologyNetwork, OfADepthwiseLayerHasFiltersForEachChannel) {
  const workloads::LayerNetwork layer = networkOf({9, 9, 3, 3, 8, 2, 1, 1, true});
  EXPECT_EQ(resultOf(layer), (Shape{1, 16, 7, 7}));
  EXPECT_EQ(workloads::parameterCount(layer.graph), 8U * 2 * 9);
}

TEST(TopologyNetwork, OfAProductHasRowsForEachSample) {
  const workloads::LayerNetwork layer =
      networkOf(TopologyLayer{"A", 2, TopologyProduct{2, 3, 5}}, 7, ElementType::Half);
  EXPECT_EQ(resultOf(layer), (Shape{14, 3}));
  EXPECT_EQ(workloads::flopsOf(layer.graph, workloads::NetworkPass::Forward),
            Flops(2ULL * 14 * 3 * 5));
}

workloads::BuiltWorkload built(const std::string& lines, const std::string& keys = "") {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", lines);
  const auto config = ConfigReader::fromText(
      "kind = \"topology\"\nfile = \"" + file.string() + "\"\n" + keys, "run.toml");
  return registry::buildWorkload(config, models::toyMachine());
}

TEST(BuildTopology, SharesEqualPrograms) {
  const workloads::BuiltWorkload topology =
      built("Layer, M, N, K,\nA, 8, 8, 8,\nB, 8, 8, 4,\nC, 8, 8, 8,\n", "batch = 2");
  std::vector<std::size_t> equal_to;
  for (const workloads::SeparateProgram& one : topology.separate) equal_to.push_back(one.equal_to);
  EXPECT_THAT(equal_to, ElementsAre(0, 1, 0));
  EXPECT_EQ(topology.layers[1].name, "B");
  EXPECT_EQ(topology.layers[1].forward_flops, Flops(2ULL * 16 * 8 * 4));
  EXPECT_EQ(topology.separate[1].operands, Bytes(4ULL * (16 * 4 + 4 * 8 + 16 * 8)));
  EXPECT_EQ(topology.gpu->operators.size(), 3U);
  // The largest layer, and not their sum.
  EXPECT_EQ(topology.gpu->tensors, Bytes(4ULL * (16 * 8 + 8 * 8 + 16 * 8)));
}

TEST(BuildTopology, MultipliesTheBatchesOfTheFileAndOfTheRun) {
  const workloads::BuiltWorkload topology =
      built("Layer, M, N, K, Batch,\nA, 8, 8, 8, 4\nB, 8, 8, 4, 4\n", "batch = 2");
  EXPECT_EQ(topology.layers[0].forward_flops, Flops(2ULL * 8 * 8 * 8 * 4 * 2));
  EXPECT_EQ(topology.samples, 8U);
  EXPECT_EQ(built("Layer, M, N, K, Batch,\nA, 8, 8, 8, 4\nB, 8, 8, 4, 2\n").samples, 0U);
}

TEST(BuildTopology, NamesTheLineOfALayerThatIsTooLarge) {
  const std::string line = "A, 1048576, 1048576, 1048576, 1048576, 1048576, 1048576, 1,\n";
  EXPECT_THAT(configErrorOf([&] {
                built("a,b,c,d,e,f,g,h\nB, 9, 9, 3, 3, 4, 4, 1,\n" + line, "batch = 65536");
              }),
              HasSubstr("t.csv:3: wanted "));
}

}  // namespace
}  // namespace ipusim::interop
