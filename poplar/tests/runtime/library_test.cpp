// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "poplar/CSRFunctions.hpp"
#include "poplar/tests/runtime/library_fixture.h"
#include "popops/AllTrue.hpp"
#include "popops/Cast.hpp"
#include "popops/Fill.hpp"
#include "popops/Loop.hpp"
#include "popops/NaN.hpp"
#include "popops/Pad.hpp"
#include "popops/Reduce.hpp"
#include "popops/Sort.hpp"
#include "popops/TopK.hpp"
#include "popops/Zero.hpp"

namespace {

using poplar::Tensor;
using popops::Operation;
using testing::ElementsAre;

class Library : public LibraryProgram {};

TEST_F(Library, AFillSetsElementsWhereTheyLie) {
  const Tensor a = spread<int>({4, 3}, std::vector<int>(12, 1));
  popops::fill(graph, a.slice(0, 2, 1), program, -7);
  popops::zero(graph, a[3], program);
  EXPECT_THAT(after<int>(a), ElementsAre(-7, -7, 1, -7, -7, 1, -7, -7, 1, 0, 0, 0));
}

TEST_F(Library, AFillOfHalvesIsRounded) {
  const Tensor a = graph.addVariable(poplar::HALF, {3}, poplar::VariableMappingMethod::LINEAR);
  popops::fill(graph, a, program, 0.1F);
  EXPECT_THAT(after<float>(popops::cast(graph, a, poplar::FLOAT, program)),
              testing::Each(0.0999755859375F));
}

TEST_F(Library, AFillOfWideNumbers) {
  const Tensor a = graph.addVariable(poplar::LONGLONG, {3}, poplar::VariableMappingMethod::LINEAR);
  popops::fill(graph, a, program, -5);
  popops::zero(graph, a[1], program);
  EXPECT_THAT(after<long long>(a), ElementsAre(-5, 0, -5));
}

TEST_F(Library, EachOperationReducesWholeNumbers) {
  const std::vector<int> values{3, -1, 4, 1, -5, 9, 2, 6};
  const Tensor a = spread<int>({8}, values);
  std::vector<Tensor> results;
  for (const Operation op :
       {Operation::ADD, Operation::MUL, Operation::MIN, Operation::MAX, Operation::SQUARE_ADD}) {
    results.push_back(popops::reduce(graph, a, {0}, op, program).reshape({1}));
  }
  EXPECT_THAT(after<int>(poplar::concat(results)), ElementsAre(19, 6480, -5, 9, 173));
}

TEST_F(Library, AReductionAddsToItsOutputAndScales) {
  const Tensor a = spread<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor out = spread<float>({3}, {100, 200, 300});
  const Tensor half = spread<float>({}, {0.5F});
  popops::reduceWithOutput(graph, a, out, {0}, {Operation::ADD, true, half}, program);
  EXPECT_THAT(after<float>(out), ElementsAre(102.5F, 203.5F, 304.5F));
}

TEST_F(Library, AReductionOfComputeSetsRunsWhenTheyDo) {
  const Tensor a = spread<float>({256}, std::vector<float>(256, 1));
  const Tensor out = spread<float>({1}, {7});
  std::vector<poplar::ComputeSet> compute_sets;
  popops::reduceWithOutput(graph, a, out, {0}, {Operation::ADD}, compute_sets);
  EXPECT_EQ(compute_sets.size(), 2U);
  for (const auto& each : compute_sets) program.add(poplar::program::Execute(each));
  EXPECT_THAT(after<float>(out), ElementsAre(256));
}

TEST_F(Library, SeveralReductionsShareTheirComputeSets) {
  const Tensor a = spread<int>({2, 2}, {1, 2, 3, 4});
  const Tensor b = spread<int>({3}, {5, 6, 7});
  std::vector<Tensor> out;
  popops::reduceMany(graph, {{a, {1}, {Operation::ADD}}, {b, {0}, {Operation::MAX}}}, out, program);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_THAT(after<int>(poplar::concat(out[0], out[1].reshape({1}))), ElementsAre(3, 7, 7));
}

TEST_F(Library, AllTrueIsOneBool) {
  const Tensor x = spread<int>({5}, {1, 2, 3, 4, 5});
  const Tensor all = popops::allTrue(graph, popops::gt(graph, x, 0, program), program);
  const Tensor some = popops::allTrue(graph, popops::gt(graph, x, 1, program), program);
  EXPECT_EQ(all.rank(), 0U);
  const Tensor both = poplar::concat(all.reshape({1}), some.reshape({1}));
  EXPECT_THAT(after<int>(popops::cast(graph, both, poplar::INT, program)), ElementsAre(1, 0));
}

TEST_F(Library, HasNaNIsOneBool) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = spread<float>({5}, {1, infinity, -infinity, 0, nan});
  const Tensor any = popops::hasNaN(graph, x.reshape({5, 1}), program);
  const Tensor none = popops::hasNaN(graph, x.slice(0, 4), program);
  EXPECT_EQ(any.rank(), 0U);
  const Tensor both = poplar::concat(any.reshape({1}), none.reshape({1}));
  EXPECT_THAT(after<int>(popops::cast(graph, both, poplar::INT, program)), ElementsAre(1, 0));
}

std::vector<int> mixedNumbers(std::size_t count) {
  std::vector<int> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<int>(i * 7919 % 101) - 50;
  return values;
}

TEST_F(Library, SortsARowOfAnyLength) {
  for (const std::size_t count : {1U, 2U, 7U, 100U}) {
    program = poplar::program::Sequence();
    auto values = mixedNumbers(count);
    poplar::Graph fresh(device);
    std::swap(graph, fresh);
    const Tensor sorted = popops::sort(graph, spread<int>({count}, values), 0, program);
    std::sort(values.begin(), values.end());
    EXPECT_EQ(after<int>(sorted), values) << count;
  }
}

TEST_F(Library, SortsEachColumn) {
  const Tensor a = spread<int>({3, 2}, {3, 1, 1, 3, 2, 2});
  EXPECT_THAT(after<int>(popops::sort(graph, a, 0, program)), ElementsAre(1, 1, 2, 2, 3, 3));
}

TEST_F(Library, TheLargestComeInTheOrderAskedFor) {
  auto values = mixedNumbers(50);
  const Tensor a = spread<int>({50}, values);
  using popops::SortOrder;
  const Tensor down = popops::topK(graph, program, a, {3, true, SortOrder::DESCENDING});
  const Tensor up = popops::topK(graph, program, a, {3, true, SortOrder::ASCENDING});
  const Tensor least = popops::topK(graph, program, a, {3, false, SortOrder::ASCENDING});
  std::sort(values.begin(), values.end());
  EXPECT_THAT(after<int>(poplar::concat({down, up, least})),
              ElementsAre(values[49], values[48], values[47], values[47], values[48], values[49],
                          values[0], values[1], values[2]));
}

TEST_F(Library, APadIsAViewWithAConstant) {
  const Tensor a = spread<int>({2}, {1, 2});
  const Tensor padded = popops::pad(graph, a, 1, 2, 0, 9);
  EXPECT_TRUE(padded.containsConstant());
  EXPECT_THAT(after<int>(popops::add(graph, padded, 0, program)), ElementsAre(9, 1, 2, 9, 9));
}

TEST_F(Library, ALoopCounts) {
  const Tensor sum = spread<unsigned>({1}, {0});
  program.add(popops::countedLoop(graph, 2, 11, 3, [&](const Tensor& index) {
    poplar::program::Sequence body;
    popops::addInPlace(graph, sum, index, body);
    return body;
  }));
  EXPECT_THAT(after<unsigned>(sum), ElementsAre(2 + 5 + 8));
}

TEST_F(Library, ALoopEndsAtALimitOfTheRun) {
  const Tensor count = spread<int>({1}, {0});
  const Tensor limit = spread<int>({1}, {7});
  const Tensor rounds = spread<int>({1}, {0});
  poplar::program::Sequence body;
  popops::addInPlace(graph, rounds, 1, body);
  program.add(popops::countedForLoop(graph, count, 1, limit, 2, body));
  EXPECT_THAT(after<int>(poplar::concat(count, rounds)), ElementsAre(7, 3));
}

}  // namespace
