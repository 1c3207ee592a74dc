// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/elementwise.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;
using Lists = std::vector<std::vector<std::uint64_t>>;

TEST(SplitRuns, GiveWorkersWholeGrains) {
  // 50 elements are 13 grains of 4: 3 for each of 5 vertices.
  EXPECT_EQ(splitRuns({50}, 6, 4), (Lists{{12}, {12}, {12}, {12}, {2}}));
}

TEST(SplitRuns, CutARunWhereAVertexIsFull) {
  EXPECT_EQ(splitRuns({5, 10, 1}, 2, 4), (Lists{{5, 3}, {7, 1}}));
}

TEST(SplitRuns, GiveAVertexTwoGrainsAtLeast) {
  EXPECT_EQ(splitRuns({4, 4, 4}, 6, 4), (Lists{{4, 4}, {4}}));
}

class ElementwiseTest : public testing::Test {
 protected:
  Elementwise ops() { return {run_.graph, models::toyMachine(), run_.graph.program()}; }
  [[nodiscard]] const std::vector<VertexFamily>& families() const {
    return run_.graph.computeSets()[0].families;
  }
  ToyRun run_;
};

TEST_F(ElementwiseTest, HasOneVertexForAllWorkersWhereATileHoldsOneRun) {
  const Tensor in = run_.spread({8}, 2);
  ops().unaryInPlace(models::UnaryOp::Square, in, "square");
  ASSERT_EQ(families().size(), 4U);
  EXPECT_EQ(families()[0].type->name, "popops::UnaryOp1DInPlace<SQUARE,float>");
}

TEST_F(ElementwiseTest, HasVerticesOfItsWorkersWhereATileHoldsSeveralRuns) {
  // Tile 0 has three runs of 8, the others two: 6 grains for 6 workers, two each; 4 grains.
  const Tensor in = run_.spread({72}, 8);
  ops().unaryInPlace(models::UnaryOp::Square, in, "square");
  ASSERT_EQ(families().size(), 3U + 3 * 2U);
  EXPECT_EQ(families()[0].type->name, "popops::UnaryOp2DInPlace<SQUARE,float>");
}

TEST_F(ElementwiseTest, InPlaceNeedsNoOtherVariable) {
  const Tensor in = run_.spread({5}, 2);
  run_.give(in, {-1, 2, -3, 4, 0});
  ops().unaryInPlace(models::UnaryOp::Relu, in, "relu");
  EXPECT_EQ(run_.graph.variables().size(), 1U);
  EXPECT_EQ(run_.result(in), (Values{0, 2, 0, 4, 0}));
}

TEST_F(ElementwiseTest, ComputesOverRunsThatVerticesCut) {
  const Tensor in = run_.spread({90}, 9);
  Values values;
  Values squares;
  for (int i = 0; i < 90; ++i) {
    values.push_back(i);
    squares.push_back(i * i);
  }
  run_.give(in, values);
  const Tensor out = ops().unary(models::UnaryOp::Square, in, "square", Lifetime::Always);
  EXPECT_EQ(run_.result(out), squares);
}

TEST_F(ElementwiseTest, BringsASecondOperandToTheFirst) {
  const Tensor ones = run_.spread({4}, 1);
  const Tensor tens = run_.on(2, {4});
  run_.give(ones, {1, 2, 3, 4});
  run_.give(tens, {10, 20, 30, 40});
  const Tensor sum = ops().binary(models::BinaryOp::Add, ones, tens, "add", Lifetime::Always);
  ops().binaryInPlace(models::BinaryOp::Subtract, sum, ones, "subtract");
  EXPECT_EQ(run_.result(sum), (Values{10, 20, 30, 40}));
}

TEST_F(ElementwiseTest, ScalesAddsAndCasts) {
  const Tensor in = run_.spread({6}, 2);
  run_.give(in, {1, 2, 3, 4, 5, 2049});
  const Tensor scaled = ops().scale(in, 2, "scale", Lifetime::Always);
  ops().scaledAdd(scaled, in, -1, "addTo");
  ops().scaleInPlace(scaled, -0.5, "scaleInPlace");
  ops().scaleInPlace(scaled, -2, "scaleInPlace");
  const Tensor halves = ops().cast(scaled, ElementType::Half, "cast", Lifetime::Always);
  EXPECT_EQ(run_.result(halves), (Values{1, 2, 3, 4, 5, 2048}));
}

run::Experiment experiment(const std::string& workload) {
  return run::prepare(ConfigReader::fromText(
      "machine = \"toy\"\n[workload]\nelements = 5003\n" + workload, "test"));
}

TEST(ElementwiseWorkloads, HaveTheNumbersOfTheirReferences) {
  for (const char* workload :
       {"kind = \"elementwise\"\nop = \"tanh\"\ntype = \"half\"",
        "kind = \"elementwise\"\nop = \"subtract\"\nin_place = \"yes\"",
        "kind = \"stream\"\nkernel = \"copy\"",
        "kind = \"stream\"\nkernel = \"scale\"\ntype = \"half\"",
        "kind = \"stream\"\nkernel = \"add\"", "kind = \"stream\"\nkernel = \"triad\""}) {
    const run::NumberCheck check = run::checkNumbers(experiment(workload));
    EXPECT_TRUE(check.found.ok) << workload;
    EXPECT_EQ(check.found.elements, 5003U);
  }
}

}  // namespace
}  // namespace ipusim::workloads
