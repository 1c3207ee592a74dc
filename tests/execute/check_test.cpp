// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/check.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"
#include "tests/support/test_vertices.h"

namespace ipusim::executor {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;
using workloads::scaleVertex;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Computes out = 3 in over all tiles, and checks it against `factor` * in.
CheckResult checkScaled(double factor, double tolerance) {
  ToyRun toy;
  const Tensor in = toy.spread({100}, 7);
  const Tensor out = toy.spread({100}, 9);
  toy.add(scaleVertex(3, 100), 2, {{in.view()}, {out.view()}});
  const auto scaled = [factor](const std::vector<Values>& inputs) {
    Values values = inputs.at(0);
    for (double& value : values) value *= factor;
    return std::vector<Values>{values};
  };
  return checkNumbers(toy.graph, toy.compile(), {{{"in", in}}, {{"out", out}}},
                      {scaled, tolerance});
}

/// A loop multiplies a value by `factor` in each of `rounds`. The reference multiplies it by 3 in
/// each of `wanted_rounds`.
CheckResult checkRounds(double factor, std::uint64_t rounds, std::uint64_t wanted_rounds) {
  ToyRun toy;
  const Tensor value = toy.spread({8}, 2);
  const Tensor scaled = toy.spread({8}, 2, Lifetime::Temporary);
  const auto set = toy.graph.addComputeSet("scale");
  for (std::uint32_t tile = 0; tile < ToyRun::toyTiles(); ++tile) {
    const std::uint64_t begin = std::uint64_t{2} * tile;
    toy.graph.addVertices(set, {shared(scaleVertex(static_cast<float>(factor), 2)),
                                TileId(tile),
                                1,
                                {{value.slice(begin, begin + 2, 0).view()},
                                 {scaled.slice(begin, begin + 2, 0).view()}}});
  }
  toy.graph.program().add(repeat(rounds, {execute(set), toy.graph.copy(scaled, value, "keep")}));
  const auto times_three = [](const std::vector<Values>& inputs) {
    Values values = inputs.at(0);
    for (double& number : values) number *= 3;
    return std::vector<Values>{values};
  };
  return checkNumbers(toy.graph, toy.compile(), {{{"value", value}}, {{"value", value}}},
                      {times_three, 1e-6, wanted_rounds});
}

/// Compares outputs with the names "0", "1", …
CheckResult compare(const std::vector<Values>& wanted, const std::vector<Values>& found,
                    double tolerance) {
  std::vector<std::string> outputs;
  for (std::size_t o = 0; o < wanted.size(); ++o) outputs.push_back(std::to_string(o));
  return compareOutputs(outputs, tolerance, wanted, found);
}

}  // namespace

TEST(CheckNumbers, AgreesWithARightReference) {
  const CheckResult result = checkScaled(3, 1e-6);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.elements, 100U);
  EXPECT_GT(result.max_reference, 1);
}

TEST(CheckNumbers, DisagreesWithAWrongReference) {
  const CheckResult result = checkScaled(3.5, 0.1);
  EXPECT_FALSE(result.ok);
  EXPECT_NEAR(result.relative, 0.5 / 3.5, 1e-6);
  EXPECT_EQ(result.output, "out");
}

TEST(CheckNumbers, TellsTheReferenceWhatMemoryHolds) {
  ToyRun toy;
  const Tensor half = toy.graph.addVariable(ElementType::Half, {2}, "h", Lifetime::Always);
  toy.graph.setTileMapping(half, TileId(1));
  const CheckResult result =
      checkNumbers(toy.graph, toy.compile(), {{{"in", half, 2, {2049, 1}}}, {{"out", half}}},
                   {[](const std::vector<Values>& inputs) { return inputs; }, 0});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.max_reference, 2048);
}

TEST(CheckNumbers, HoldsEachRoundOfALoopAgainstTheReference) {
  const CheckResult result = checkRounds(3, 5, 5);
  EXPECT_TRUE(result.ok) << result.relative;
  EXPECT_EQ(result.elements, 40U);
}

TEST(CheckNumbers, ForgivesNoErrorOfARoundThoughItIsSmall) {
  // The check fails after the first round, though the error is no larger there than at the end.
  const CheckResult result = checkRounds(3.001, 5, 5);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.round, 1U);
  EXPECT_NEAR(result.relative, 0.001 / 3, 1e-6);
}

TEST(CheckNumbers, FindsRoundsThatAreMissingAndThoseTooMany) {
  for (const std::uint64_t rounds : {4U, 6U}) {
    const CheckResult result = checkRounds(3, rounds, 5);
    EXPECT_FALSE(result.ok);
    EXPECT_EQ(result.output, "rounds of the loop");
    EXPECT_EQ(result.wanted, 5);
    EXPECT_EQ(result.found, static_cast<double>(rounds));
  }
}

TEST(CompareOutputs, AllowsEachElementItsOwnSlackBesideTheToleranceOfTheScale) {
  const std::vector<std::string> outputs{"out"};
  const double tolerance = 0.125;
  Expected wanted({{100, 200}});
  wanted.slack = {{0.75, 3}};
  wanted.scales = {10};
  const CheckResult right = compareOutputs(outputs, tolerance, wanted, {{101, 201.5}});
  EXPECT_TRUE(right.ok);
  EXPECT_EQ(right.index, 0U);
  EXPECT_EQ(right.share, 0.5);
  EXPECT_EQ(right.slack, 0.75);
  EXPECT_EQ(right.allowed, 2);
  EXPECT_FALSE(compareOutputs(outputs, tolerance, wanted, {{102.5, 200}}).ok);
  EXPECT_FALSE(compareOutputs(outputs, tolerance, wanted, {{100, std::nan("")}}).ok);
}

TEST(CompareOutputs, TellsTheLargestErrorThoughItIsAllowed) {
  Expected wanted({{100, 200}});
  wanted.slack = {{0, 3}};
  wanted.scales = {10};
  const CheckResult result = compareOutputs({"out"}, 0.125, wanted, {{101, 203}});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.max_error, 3);
  EXPECT_EQ(result.relative, 0.3);
  EXPECT_EQ(result.max_slack, 3);
}

TEST(CompareOutputs, TellsTheLargestErrorAndItsPlace) {
  const CheckResult result = compare({{1, -8, 4}}, {{1.5, -8, 3}}, 0.2);
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.max_error, 1);
  EXPECT_EQ(result.max_reference, 8);
  EXPECT_EQ(result.relative, 0.125);
  EXPECT_EQ(result.index, 2U);
  EXPECT_EQ(result.wanted, 4);
  EXPECT_EQ(result.found, 3);
}

TEST(CompareOutputs, MeasuresEveryOutputByItsOwnSize) {
  const CheckResult result = compare({{1000}, {1}}, {{1001}, {1.5}}, 0.1);
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.output, "1");
  EXPECT_EQ(result.relative, 0.5);
  EXPECT_EQ(result.elements, 2U);
}

TEST(CompareOutputs, CountsNanAndInfinityAsInfiniteErrors) {
  EXPECT_EQ(compare({{1, 2}}, {{1, std::nan("")}}, 1).max_error, kInfinity);
  EXPECT_EQ(compare({{1, 2}}, {{1, std::nan("")}}, 1).index, 1U);
  EXPECT_FALSE(compare({{1, 2}}, {{std::nan(""), 2}}, 1).ok);
  EXPECT_FALSE(compare({{1, 2}}, {{1, -kInfinity}}, 1).ok);
}

TEST(CompareOutputs, AllowsNoErrorWhereAllIsZero) {
  EXPECT_TRUE(compare({{0, 0}}, {{0, 0}}, 0).ok);
  EXPECT_FALSE(compare({{0, 0}}, {{0, 1e-30}}, 1e6).ok);
}

TEST(CompareOutputs, NeedsSomethingToCompare) {
  EXPECT_FALSE(compare({}, {}, 1).ok);
  EXPECT_THROW(compare({{1, 2}}, {{1}}, 1), InternalError);
  EXPECT_THROW(compare({{1}}, {}, 1), InternalError);
  EXPECT_THROW(compare({{std::nan("")}}, {{1}}, 1), InternalError);
}

TEST(RandomValues, AreTheSameForASeed) {
  EXPECT_EQ(randomValues(ElementType::Float, 50, 1), randomValues(ElementType::Float, 50, 1));
  EXPECT_NE(randomValues(ElementType::Float, 50, 1), randomValues(ElementType::Float, 50, 2));
}

TEST(RandomValues, FillTheRangeFromMinusOneToOne) {
  const Values values = randomValues(ElementType::Half, 10'000, 7);
  EXPECT_THAT(values, Each(AllOf(Ge(-1), Le(1))));
  EXPECT_LT(*std::min_element(values.begin(), values.end()), -0.99);
  EXPECT_GT(*std::max_element(values.begin(), values.end()), 0.99);
}

TEST(RandomValues, AreTheHighBitsOfTheGenerator) {
  // The generator's 10,000th number for its default seed, as the standard states it.
  const double last = static_cast<double>(9981545732273789042ULL >> 11) / (1ULL << 53);
  EXPECT_EQ(randomValues(ElementType::Float, 10'000, 5489).back(),
            static_cast<float>(2 * last - 1));
}

TEST(RandomValues, AreWholeForIntegers) {
  EXPECT_THAT(randomValues(ElementType::UInt32, 100, 3), Each(testing::AnyOf(0, 1)));
  EXPECT_THAT(randomValues(ElementType::UInt32, 100, 3, 4), Each(testing::AnyOf(0, 1, 2, 3)));
  EXPECT_THAT(randomValues(ElementType::UInt32, 100, 3, 4), testing::Contains(3));
}

}  // namespace ipusim::executor
