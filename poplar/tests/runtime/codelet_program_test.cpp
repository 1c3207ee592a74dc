// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <sstream>

#include "poplar/tests/runtime/small_device.h"

namespace {

using namespace poplar::program;
using poplar::Tensor;
using testing::ElementsAre;

const char* const kCodelets = R"(
#include <poplar/Vertex.hpp>
using namespace poplar;

class Sum : public Vertex {
 public:
  Input<Vector<int>> in;
  Output<int> out;
  int start;
  bool compute() {
    int sum = start;
    for (unsigned i = 0; i < in.size(); ++i) sum += in[i];
    *out = sum;
    ++start;
    return sum > 10;
  }
};

class SumRows : public Vertex {
 public:
  Vector<Input<Vector<int>>> rows;
  Output<Vector<int>> sums;
  bool compute() {
    for (unsigned r = 0; r < rows.size(); ++r) {
      sums[r] = 0;
      for (unsigned i = 0; i < rows[r].size(); ++i) sums[r] += rows[r][i];
    }
    return true;
  }
};

class SumPair : public Vertex {
 public:
  Input<Vector<int, VectorLayout::ONE_PTR, 8>> in;
  Output<int> out;
  bool compute() {
    *out = in[0] + in[1];
    return true;
  }
};

class Mark : public MultiVertex {
 public:
  Output<Vector<int>> out;
  bool compute(unsigned worker) {
    out[worker] = 10 + worker;
    return true;
  }
};
)";

class CodeletProgram : public testing::Test {
 protected:
  void SetUp() override {
    const std::string missing = codeletsMissing(graph_, kCodelets);
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
  Tensor mapped(const std::vector<std::size_t>& shape, unsigned tile) {
    Tensor tensor = graph_.addVariable(poplar::INT, shape, "v");
    graph_.setTileMapping(tensor, tile);
    graph_.setInitialValue(tensor, countingUp(tensor.numElements()));
    return tensor;
  }

  poplar::Device device_ = fourTiles();
  poplar::Graph graph_{device_};
};

TEST_F(CodeletProgram, AVertexReadsFromAnotherTileAndWritesToAThird) {
  const Tensor in = mapped({4}, 0);
  const Tensor out = mapped({1}, 2);
  const auto compute_set = graph_.addComputeSet("sum");
  const auto vertex = graph_.addVertex(compute_set, "Sum", {{"in", in}, {"out", out[0]}});
  graph_.setTileMapping(vertex, 1);
  graph_.setInitialValue(vertex["start"], 100);
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set), out), ElementsAre(106));
}

TEST_F(CodeletProgram, AMemberKeepsItsValueFromRunToRun) {
  const Tensor in = mapped({2}, 1);
  const Tensor out = mapped({1}, 1);
  const auto compute_set = graph_.addComputeSet("sum");
  graph_.setTileMapping(graph_.addVertex(compute_set, "Sum", {{"in", in}, {"out", out[0]}}), 1);
  EXPECT_THAT(valuesAfter(graph_, device_, Repeat(5, Execute(compute_set)), out), ElementsAre(5));
}

TEST_F(CodeletProgram, RowsOfASliceReachTheVertexOneByOne) {
  const Tensor table = mapped({3, 4}, 0);
  const Tensor sums = mapped({3}, 0);
  const auto compute_set = graph_.addComputeSet("rows");
  graph_.setTileMapping(
      graph_.addVertex(compute_set, "SumRows", {{"rows", table.slice(1, 3, 1)}, {"sums", sums}}),
      0);
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set), sums), ElementsAre(3, 11, 19));
}

TEST_F(CodeletProgram, EveryWorkerOfAMultiVertexRunsOnce) {
  const Tensor out = mapped({6}, 3);
  const auto compute_set = graph_.addComputeSet("mark");
  graph_.setTileMapping(graph_.addVertex(compute_set, "Mark", {{"out", out}}), 3);
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set), out),
              ElementsAre(10, 11, 12, 13, 14, 15));
}

TEST_F(CodeletProgram, AConstantBecomesAnEdgeOfTheFieldsType) {
  const Tensor out = mapped({1}, 1);
  const auto compute_set = graph_.addComputeSet("sum");
  const auto vertex = graph_.addVertex(compute_set, "Sum");
  graph_.connect(vertex["in"], std::vector<unsigned>{3, 4});
  graph_.connect(vertex["out"], out[0]);
  graph_.setTileMapping(vertex, 1);
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set), out), ElementsAre(7));
}

TEST_F(CodeletProgram, AnExecuteTellsWhetherAllVerticesReturnedTrue) {
  const Tensor in = mapped({6}, 0);  // 15
  const Tensor out = mapped({2}, 0);
  const Tensor all_true = mapped({1}, 1);
  const auto compute_set = graph_.addComputeSet("sum");
  for (unsigned v = 0; v < 2; ++v) {
    const Tensor part = v == 0 ? in : in.slice(0, 2);
    graph_.setTileMapping(graph_.addVertex(compute_set, "Sum", {{"in", part}, {"out", out[v]}}), 0);
  }
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set, all_true), all_true),
              ElementsAre(0));
}

TEST_F(CodeletProgram, AFieldWithoutDataIsNamed) {
  const auto compute_set = graph_.addComputeSet("sum");
  const auto vertex = graph_.addVertex(compute_set, "Sum");
  graph_.setTileMapping(vertex, 1);
  try {
    const poplar::Engine engine(graph_, Execute(compute_set));
    FAIL();
  } catch (const poplar::graph_connection_error& error) {
    EXPECT_STREQ(error.what(), "vertex Sum.in on tile 1: wanted a connection, found none");
  }
}

TEST_F(CodeletProgram, AFieldThatIsNotThereIsNamed) {
  const auto vertex = graph_.addVertex(graph_.addComputeSet("sum"), "Sum");
  try {
    graph_.setInitialValue(vertex["inn"], 1);
    FAIL();
  } catch (const poplar::unknown_field& error) {
    EXPECT_STREQ(
        error.what(),
        "vertex Sum: wanted one of its fields (in, out, start), found inn (did you mean in?)");
  }
}

TEST_F(CodeletProgram, TheNearestVertexTypeIsNamed) {
  try {
    graph_.addVertex(graph_.addComputeSet("sum"), "SumRow");
    FAIL();
  } catch (const poplar::unknown_vertex_type& error) {
    EXPECT_STREQ(error.what(),
                 "vertex SumRow: wanted a vertex type of the codelets of the graph, found none of "
                 "that name (did you mean SumRows?)");
  }
}

TEST_F(CodeletProgram, MoreWorkTakesMoreCycles) {
  const auto cycles = [this](std::size_t elements) {
    const Tensor in = mapped({elements}, 0);
    const Tensor out = mapped({1}, 0);
    const auto compute_set = graph_.addComputeSet("sum");
    graph_.setTileMapping(graph_.addVertex(compute_set, "Sum", {{"in", in}, {"out", out[0]}}), 0);
    poplar::Engine engine(graph_, Execute(compute_set));
    engine.loadAndRun(device_);
    return engine.getTimeStamp().cycles;
  };
  EXPECT_GT(cycles(1000), cycles(10) + 6UL * 990);  // an element takes a slot of a worker at least
}

TEST_F(CodeletProgram, AMatrixHasTheRowsThatItsPartsHaveOneByOne) {
  const Tensor columns = mapped({3, 4}, 0).dimShuffle({1, 0});
  std::vector<Tensor> rows;
  for (std::size_t row = 0; row < 4; ++row) rows.push_back(columns[row]);
  const Tensor of_matrix = mapped({4}, 1);
  const Tensor of_rows = mapped({4}, 1);
  const auto compute_set = graph_.addComputeSet("rows");
  const auto whole =
      graph_.addVertex(compute_set, "SumRows", {{"rows", columns}, {"sums", of_matrix}});
  const auto apart = graph_.addVertex(compute_set, "SumRows", {{"sums", of_rows}});
  graph_.connect(apart["rows"], poplar::ArrayRef<Tensor>(rows));
  graph_.setTileMapping(whole, 1);
  graph_.setTileMapping(apart, 2);
  graph_.createHostRead("matrix", of_matrix);
  graph_.createHostRead("rows", of_rows);
  poplar::Engine engine(graph_, poplar::program::Execute(compute_set));
  engine.load(device_);
  engine.run();
  std::vector<int> sums(4);
  for (const char* const name : {"matrix", "rows"}) {
    engine.readTensor(name, sums.data(), sums.data() + sums.size());
    EXPECT_EQ(sums, (std::vector<int>{12, 15, 18, 21})) << name;
  }
}

TEST_F(CodeletProgram, AFieldOfRowsMayHaveNone) {
  const Tensor sums = graph_.addVariable(poplar::INT, {2}, "sums");
  graph_.setTileMapping(sums, 1);
  graph_.setInitialValue(sums, poplar::ArrayRef<int>({7, 8}));
  const poplar::ComputeSet compute_set = graph_.addComputeSet("none");
  const poplar::VertexRef vertex = graph_.addVertex(compute_set, "SumRows");
  graph_.connect(vertex["rows"], poplar::ArrayRef<Tensor>(std::vector<Tensor>()));
  graph_.connect(vertex["sums"], sums);
  graph_.setTileMapping(vertex, 1);
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set), sums), ElementsAre(7, 8));
}

TEST_F(CodeletProgram, RowsMayHaveNoElements) {
  const Tensor none = graph_.addVariable(poplar::INT, {2, 0}, "none");
  const Tensor sums = graph_.addVariable(poplar::INT, {2}, "sums");
  graph_.setTileMapping(sums, 1);
  graph_.setInitialValue(sums, poplar::ArrayRef<int>({7, 8}));
  const poplar::ComputeSet compute_set = graph_.addComputeSet("none");
  const poplar::VertexRef vertex = graph_.addVertex(compute_set, "SumRows");
  graph_.connect(vertex["rows"], none);
  graph_.connect(vertex["sums"], sums);
  graph_.setTileMapping(vertex, 1);
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set), sums), ElementsAre(0, 0));
}

TEST_F(CodeletProgram, ACodeletMayDefineTheNamesOfConstantsOfMathematics) {
  std::stringstream source(R"(
#include <poplar/Vertex.hpp>
#include <cmath>
#include <math.h>
static const float M_PI = 3.0F;
struct Circle : poplar::Vertex {
  poplar::Output<int> out;
  bool compute() { *out = static_cast<int>(2 * M_PI); return true; }
};
)");
  graph_.addCodelets(source);
  const Tensor out = graph_.addVariable(poplar::INT, {}, "out");
  graph_.setTileMapping(out, 1);
  const poplar::ComputeSet compute_set = graph_.addComputeSet("circle");
  const poplar::VertexRef vertex = graph_.addVertex(compute_set, "Circle", {{"out", out}});
  graph_.setTileMapping(vertex, 1);
  EXPECT_THAT(valuesAfter(graph_, device_, Execute(compute_set), out), ElementsAre(6));
}

TEST_F(CodeletProgram, TheProfileCountsEdgesThatDoNotLieAsTheirFieldsSay) {
  const Tensor numbers = graph_.addVariable(poplar::INT, {4}, "numbers");
  graph_.setTileMapping(numbers, 1);
  graph_.setInitialValue(numbers, std::vector<int>{1, 20, 300, 4000});
  const Tensor sums = graph_.addVariable(poplar::INT, {2}, "sums");
  graph_.setTileMapping(sums, 1);
  const poplar::ComputeSet pairs = graph_.addComputeSet("pairs");
  for (unsigned i = 0; i < 2; ++i) {  // at 8 bytes, and at 8 and an element
    const auto vertex =
        graph_.addVertex(pairs, "SumPair", {{"in", numbers.slice(i, i + 2)}, {"out", sums[i]}});
    graph_.setTileMapping(vertex, 1);
  }
  graph_.createHostRead("sums", sums);
  poplar::Engine engine(graph_, Execute(pairs));
  engine.loadAndRun(device_);
  std::vector<int> found(2);
  engine.readTensor("sums", found.data(), found.data() + 2);
  EXPECT_THAT(found, ElementsAre(21, 320));
  EXPECT_THAT(engine.getProfileAsJson(),
              testing::ContainsRegex("\"aligned_edges\": 2,\n +\"misaligned_edges\": 1"));
}

}  // namespace
