// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "popfloat/experimental/CastToHalf.hpp"
#include "poplar/tests/runtime/library_fixture.h"
#include "popops/ElementWise.hpp"
#include "popops/ElementWiseUtil.hpp"
#include "popops/Sort.hpp"
#include "poputil/Broadcast.hpp"

namespace {

using poplar::Tensor;
using testing::ElementsAre;

using SmallOperations = LibraryProgram;

TEST_F(SmallOperations, TheAngleOfAPointIsThatOfTheHost) {
  const std::vector<float> y{1.0F, -1.0F, 0.0F, 2.5F, -0.5F};
  const std::vector<float> x{1.0F, 1.0F, -3.0F, -0.25F, -4.0F};
  const Tensor angles = popops::atan2(graph, spread<float>({5}, y), spread<float>({5}, x), program);
  const std::vector<float> found = after<float>(angles);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(found[i], std::atan2(y[i], x[i]), 1e-6) << i;
  }
}

TEST_F(SmallOperations, ALogicalShiftToTheRightFillsWithZeros) {
  const Tensor shifted = popops::shiftRight(graph, spread<int>({3}, {-8, 8, -1}),
                                            spread<int>({3}, {1, 1, 31}), program);
  EXPECT_THAT(after<int>(shifted), ElementsAre(0x7ffffffc, 4, 1));
}

TEST_F(SmallOperations, AShiftWithTheSignFillsWithIt) {
  const Tensor shifted = popops::shiftRightSignExtend(graph, spread<int>({3}, {-8, 8, -1}),
                                                      spread<int>({3}, {1, 1, 31}), program);
  EXPECT_THAT(after<int>(shifted), ElementsAre(-4, 4, -1));
}

TEST_F(SmallOperations, SortInPlacePutsEachRowInOrder) {
  std::vector<float> values{5, -1, 3, 3, 9, 0, 2, 8, 7, -6, 4, 4};
  const Tensor rows = spread<float>({2, 6}, values);
  popops::sortInPlace(graph, rows, 1, program);
  std::sort(values.begin(), values.begin() + 6);
  std::sort(values.begin() + 6, values.end());
  EXPECT_EQ(after<float>(rows), values);
}

TEST_F(SmallOperations, BroadcastToMatchRepeatsTheDimensionsOfSizeOne) {
  Tensor column = spread<int>({2, 1}, {1, 2});
  Tensor row = spread<int>({3}, {3, 4, 5});
  poputil::broadcastToMatch(column, row);
  EXPECT_THAT(column.shape(), ElementsAre(2, 3));
  EXPECT_THAT(row.shape(), ElementsAre(2, 3));
  EXPECT_THAT(after<int>(poplar::concat(column, row)),
              ElementsAre(1, 1, 1, 2, 2, 2, 3, 4, 5, 3, 4, 5));
}

TEST_F(SmallOperations, AnOutputForOperandsHasTheirCommonShapeAndATileForEachElement) {
  const Tensor column = spread<int>({2, 1}, {1, 2});
  const Tensor row = spread<int>({3}, {3, 4, 5});
  const Tensor out = popops::createOutputForElementWiseOp(graph, {column, row}, poplar::FLOAT);
  EXPECT_THAT(out.shape(), ElementsAre(2, 3));
  EXPECT_EQ(out.elementType(), poplar::FLOAT);
  EXPECT_NO_THROW(graph.getTileMapping(out));
}

TEST(HalfNumbers, ConvertAsBinary16RoundedToNearest) {
  using popfloat::experimental::halfToSingle;
  using popfloat::experimental::singleToHalf;
  EXPECT_EQ(singleToHalf(1.0F), 0x3c00);
  EXPECT_EQ(singleToHalf(-2.0F), 0xc000);
  EXPECT_EQ(singleToHalf(65504.0F), 0x7bff);
  EXPECT_EQ(singleToHalf(1.0F + 1.0F / 2048), 0x3c00);  // a tie goes to the even one
  EXPECT_EQ(halfToSingle(0x3555), 0.333251953125F);
}

/// A graph of one compute set of two vertices and a stream.
class GraphAsText : public testing::Test {
 protected:
  void SetUp() override {
    const poplar::ComputeSet compute_set = graph_.addComputeSet("work \"twice\"");
    graph_.addHostToDeviceFIFO("in", poplar::FLOAT, 6);
    const Tensor data = graph_.addVariable(poplar::FLOAT, {6}, "data");
    graph_.setTileMapping(data.slice(0, 3), 1);
    graph_.setTileMapping(data.slice(3, 6), 2);
    const std::string missing =
        codeletsMissing(graph_,
                        "#include <poplar/Vertex.hpp>\n"
                        "struct Twice : poplar::Vertex {\n"
                        "  poplar::InOut<poplar::Vector<float>> x;\n"
                        "  bool compute() { for (auto& v : x) v *= 2; return true; }\n};\n");
    if (!missing.empty()) GTEST_SKIP() << missing;
    for (unsigned v = 0; v < 2; ++v) {
      graph_.addVertex(compute_set, "Twice", {{"x", data.slice(3UL * v, 3UL * v + 3)}});
    }
  }

  poplar::Device device_ = fourTiles();
  poplar::Graph graph_{device_};
};

TEST_F(GraphAsText, ListsVariablesComputeSetsAndStreamsAsJson) {
  std::stringstream text;
  graph_.serialize(text, poplar::SerializationFormat::JSON);
  const auto all = nlohmann::json::parse(text.str());
  EXPECT_EQ(all["tiles"], 4);
  EXPECT_EQ(all["variables"][0]["name"], "data");
  EXPECT_EQ(all["variables"][0]["elements"], 6);
  EXPECT_EQ(all["variables"][0]["tiles"], 2);
  EXPECT_EQ(all["compute_sets"][0]["vertices"], 2);
  EXPECT_EQ(all["streams"][0]["handle"], "in");
  EXPECT_EQ(all["streams"][0]["to"], "device");
}

TEST_F(GraphAsText, DrawsComputeSetsWithTheNumberOfTheirVertices) {
  std::stringstream text;
  graph_.outputComputeGraph(text);
  EXPECT_EQ(text.str(),
            "digraph compute {\n"
            "  cs0 [label=\"work \\\"twice\\\"\"];\n"
            "  cs0 -> cs0v0;\n"
            "  cs0v0 [shape=box, label=\"2 x Twice\"];\n"
            "}\n");
}

TEST(CpuDevice, HasOneTileWithOneWorkerAndRunsAProgram) {
  const poplar::Device device = poplar::Device::createCPUDevice();
  EXPECT_EQ(device.getTarget().getNumTiles(), 1U);
  EXPECT_EQ(device.getTarget().getNumWorkerContexts(), 1U);
  poplar::Graph graph(device);
  const Tensor from = graph.addVariable(poplar::INT, {4}, "from");
  const Tensor to = graph.addVariable(poplar::INT, {4}, "to");
  graph.setTileMapping(from, 0);
  graph.setTileMapping(to, 0);
  graph.setInitialValue(from, countingUp(4));
  const poplar::program::Copy program(from.reverse(0), to);
  EXPECT_THAT(valuesAfter(graph, device, program, to), ElementsAre(3, 2, 1, 0));
}

}  // namespace
