// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/vertex_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reduce_planner/planner_machines.h"

namespace ipusim::workloads {
namespace {

using models::ReduceKind;
using models::ReduceOp;
using testing::ElementsAre;

constexpr ReduceKind kAdd{ReduceOp::Add, kFloat, kFloat};
constexpr ReduceKind kMax{ReduceOp::Maximum, kFloat, kFloat};
constexpr ReduceKind kAddHalves{ReduceOp::Add, kHalf, kHalf};
constexpr ReduceKind kProduct{ReduceOp::Multiply, kFloat, kFloat};

/// The vertices for all of each pattern, on one worker.
std::vector<ReduceVertexPlan> verticesOf(const std::vector<ColumnPattern>& patterns,
                                         const ReduceKind& kind,
                                         PartialsIn from = PartialsIn::Place) {
  std::vector<PatternPart> parts;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    parts.push_back({p, 0, patterns[p].columns, 0, patterns[p].rows()});
  }
  return verticesFor({models::toyMachine(), patterns, from}, kind, parts);
}

std::vector<ReduceVertexForm> formsOf(const std::vector<ColumnPattern>& patterns,
                                      const ReduceKind& kind, PartialsIn from = PartialsIn::Place) {
  std::vector<ReduceVertexForm> forms;
  for (const ReduceVertexPlan& vertex : verticesOf(patterns, kind, from)) {
    forms.push_back(vertex.form);
  }
  return forms;
}

constexpr ColumnPattern kRun{1, 10, 1, 10};
constexpr ColumnPattern kRuns{3, 10, 1, 30};

TEST(ReduceVertex, IsSingleInputForOneOutputOfOneRun) {
  EXPECT_THAT(formsOf({kRun}, kAdd), ElementsAre(ReduceVertexForm::SingleInput));
  EXPECT_THAT(formsOf({kRun}, kMax), ElementsAre(ReduceVertexForm::Continuous));
  EXPECT_THAT(formsOf({kRun}, {ReduceOp::Add, kFloat, kFloat, models::ReduceInto::Update}),
              ElementsAre(ReduceVertexForm::Continuous));
}

TEST(ReduceVertex, IsContinuousForRunsOfEquallyManyPartials) {
  EXPECT_THAT(formsOf({kRuns}, kAdd), ElementsAre(ReduceVertexForm::Continuous));
  EXPECT_THAT(formsOf({kRuns}, kProduct), ElementsAre(ReduceVertexForm::SingleOutputs));
}

TEST(ReduceVertex, IsStridedForRowsThatAreMultiplesOfTheDataPath) {
  EXPECT_THAT(formsOf({{4, 1, 5, 6}}, kAdd), ElementsAre(ReduceVertexForm::Strided));
  EXPECT_THAT(formsOf({{3, 1, 5, 6}}, kAdd), ElementsAre(ReduceVertexForm::Regions));
  EXPECT_THAT(formsOf({{4, 1, 5, 6}}, kProduct), ElementsAre(ReduceVertexForm::Regions));
  EXPECT_THAT(formsOf({{4, 1, 5, 8}}, kAddHalves), ElementsAre(ReduceVertexForm::Strided));
  EXPECT_THAT(formsOf({{2, 1, 5, 8}}, kAddHalves), ElementsAre(ReduceVertexForm::Regions));
}

TEST(ReduceVertex, NeedsAStrideOfTheDataPathUnlessPartialsAreReceived) {
  const ColumnPattern odd{4, 1, 5, 7};
  EXPECT_THAT(formsOf({odd}, kAdd), ElementsAre(ReduceVertexForm::Regions));
  EXPECT_THAT(formsOf({odd}, kAdd, PartialsIn::Exchange), ElementsAre(ReduceVertexForm::Strided));
  EXPECT_EQ(verticesOf({odd}, kAdd, PartialsIn::Exchange).front().stride, 4U);
  EXPECT_EQ(verticesOf({{4, 1, 5, 8}}, kAdd, PartialsIn::Exchange).front().stride, 8U);
}

TEST(ReduceVertex, OfSingleOutputsWithSeveralRunsIsAListOfThem) {
  EXPECT_THAT(formsOf({{1, 2, 3, 5}}, kAdd), ElementsAre(ReduceVertexForm::SingleOutputs));
}

TEST(ReduceVertices, TakeNeighboursTogether) {
  const std::vector<ColumnPattern> patterns{{8, 1, 5, 8}};
  const VertexInputs inputs{models::toyMachine(), patterns, PartialsIn::Place};
  const auto vertices = verticesFor(inputs, kAdd, {{0, 0, 4, 0, 5}, {0, 4, 8, 0, 5}});
  ASSERT_EQ(vertices.size(), 1U);
  EXPECT_EQ(vertices[0].parts.front().columns(), 8U);
  EXPECT_EQ(verticesFor(inputs, kAdd, {{0, 0, 4, 0, 2}, {0, 4, 8, 2, 5}}).size(), 2U);
}

TEST(ReduceVertices, ThatAreListsAreBrokenUp) {
  const ColumnPattern rows{4, 1, 5, 4};
  const ColumnPattern odd{3, 1, 5, 3};
  EXPECT_THAT(formsOf({rows, odd, kRuns, odd}, kAdd),
              ElementsAre(ReduceVertexForm::Strided, ReduceVertexForm::Continuous,
                          ReduceVertexForm::Regions));
}

TEST(ReduceVertices, OfSixSingleOutputsAreOneList) {
  // A list has 22 + 8 bytes for each of its parts, and vertices of one part have 12.
  EXPECT_EQ(verticesOf(std::vector<ColumnPattern>(5, kRun), kAdd).size(), 5U);
  EXPECT_THAT(formsOf(std::vector<ColumnPattern>(6, kRun), kAdd),
              ElementsAre(ReduceVertexForm::SingleOutputs));
}

Cycles cyclesOf(const ColumnPattern& pattern, const ReduceKind& kind) {
  const std::vector<ColumnPattern> patterns{pattern};
  return reduceVertexCycles(models::toyMachine(), patterns, verticesOf(patterns, kind).front());
}

TEST(ReduceVertexCycles, AreThePublishedEstimates) {
  const Machine& machine = models::toyMachine();
  EXPECT_EQ(cyclesOf(kRun, kAdd), models::singleReduceCycles(machine, {kAdd, 10, 1}));
  EXPECT_EQ(cyclesOf(kRuns, kAdd), models::continuousReduceCycles(machine, {kAdd, 10, 3}));
  EXPECT_EQ(cyclesOf({4, 1, 5, 6}, kAdd), models::stridedReduceCycles(machine, {kAdd, 5, 4, 6}));
  EXPECT_EQ(cyclesOf({3, 1, 2, 6}, kAdd), models::reduceCycles(machine, kAdd, {{3, {3, 3}}}));
  EXPECT_EQ(cyclesOf({3, 1, 4, 6}, kAdd), models::reduceCycles(machine, kAdd, {{3, {3, 3, 3, 3}}}));
  const ReduceKind log_add{ReduceOp::LogAdd, kHalf, kFloat};
  EXPECT_EQ(cyclesOf({3, 1, 3, 6}, log_add),
            models::reduceCycles(machine, log_add, {{3, {3, 3, 3}}}));
  EXPECT_EQ(cyclesOf({3, 1, 2, 3}, kAdd), models::reduceCycles(machine, kAdd, {{3, {6}}}));
}

TEST(ReduceVertexCycles, CountEachOutputOfAList) {
  const Machine& machine = models::toyMachine();
  const models::ReduceRegion region{1, {10}};
  EXPECT_EQ(cyclesOf(kRuns, kProduct),
            models::reduceCycles(machine, kProduct, {region, region, region}));
}

}  // namespace
}  // namespace ipusim::workloads
