// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planned_look_ups.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"
#include "workloads/ops/gather/multi_slice.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;
using RowList = std::vector<std::uint64_t>;

/// An index behind the rows of any table here. Less the first row of a part it is still none.
constexpr std::uint64_t kFarBehind = 4'000'000'000;

class PlannedLookUps : public testing::Test {
 protected:
  static EmbeddingProblem tableOf(std::uint64_t rows, std::uint64_t columns, TableUse use) {
    EmbeddingProblem problem;
    problem.rows = rows;
    problem.columns = columns;
    problem.use = use;
    return problem;
  }
  static EmbeddingConstraints splits(std::uint64_t serial, std::uint32_t look_ups,
                                     std::uint32_t rows, std::uint32_t columns) {
    EmbeddingConstraints fixed;
    fixed.serial = serial;
    fixed.look_ups = look_ups;
    fixed.rows = rows;
    fixed.columns = columns;
    return fixed;
  }
  static EmbeddingPlan planFor(EmbeddingProblem problem, const RowList& indices,
                               const Machine& machine = models::toyMachine()) {
    problem.indices = indices.size();
    return planEmbedding(machine, problem);
  }
  /// Whole numbers from `first` on that repeat, so that sums of halves are exact.
  static Values numbersFrom(double first, std::uint64_t count) {
    Values values(count);
    std::iota(values.begin(), values.end(), first);
    for (double& value : values) value = static_cast<int>(value) % 29 - 14;
    return values;
  }
  Tensor given(const EmbeddingPlan& plan, const Shape& shape, const Values& values) {
    const Tensor tensor =
        run_.graph.addVariable(plan.problem.type, shape, "given", Lifetime::Always);
    run_.graph.mapLinearly(tensor, models::toyMachine(), Bytes(8));
    run_.give(tensor, values);
    return tensor;
  }
  Tensor indicesOf(const RowList& rows) {
    return addRowIndices(run_.graph, models::toyMachine(), rows, "indices");
  }
  /// The values of a temporary.
  Values valuesOf(const Tensor& tensor, const Machine& machine = models::toyMachine()) {
    const Tensor kept =
        run_.graph.addVariable(tensor.type(), tensor.shape(), "kept", Lifetime::Always);
    run_.graph.mapLinearly(kept, models::toyMachine());
    run_.graph.program().add(run_.graph.copy(tensor, kept, "keep"));
    return run_.result(compiler::compile(run_.graph, machine), kept);
  }
  [[nodiscard]] std::size_t computeSets() const { return run_.graph.computeSets().size(); }
  [[nodiscard]] std::size_t familiesOf(std::size_t compute_set) const {
    return run_.graph.computeSets().at(compute_set).families.size();
  }

  /// Looks up rows as planned. Rows that the table does not have are left out.
  void expectGathered(const EmbeddingPlan& plan, const RowList& indices,
                      const Machine& machine = models::toyMachine()) {
    run_ = ToyRun();
    const EmbeddingProblem& problem = plan.problem;
    const Values table = numbersFrom(1, problem.rows * problem.columns);
    const Tensor found =
        gatherRows(run_.graph, machine,
                   {plan, given(plan, {problem.rows, problem.columns}, table), indicesOf(indices)},
                   "g", run_.graph.program());
    EXPECT_EQ(found.shape(), (Shape{indices.size(), problem.columns}));
    const Values values = valuesOf(found, machine);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::uint64_t row = indices[i / problem.columns];
      if (row >= problem.rows) continue;
      ASSERT_EQ(values[i], table[row * problem.columns + i % problem.columns]) << i;
    }
  }

  /// Adds rows as planned.
  void expectAdded(const EmbeddingPlan& plan, const RowList& indices,
                   const Machine& machine = models::toyMachine()) {
    run_ = ToyRun();
    const EmbeddingProblem& problem = plan.problem;
    const Values source = numbersFrom(5, indices.size() * problem.columns);
    const Tensor sums = scatterAddRows(
        run_.graph, machine,
        {plan, given(plan, {indices.size(), problem.columns}, source), indicesOf(indices)},
        {"s", Lifetime::Always}, run_.graph.program());
    Values wanted(problem.rows * problem.columns);
    for (std::size_t i = 0; i < source.size(); ++i) {
      const std::uint64_t row = indices[i / problem.columns];
      if (row < problem.rows) wanted[row * problem.columns + i % problem.columns] += source[i];
    }
    EXPECT_EQ(valuesOf(sums, machine), wanted);
  }

  ToyRun run_;
};

TEST_F(PlannedLookUps, SlicesThatLieAsPlannedAreNotCopied) {
  EmbeddingProblem problem = tableOf(16, 2, TableUse::Update);
  problem.fixed = splits(1, 1, 4, 1);
  const RowList indices{3, 15, 0, 7, 7};
  const EmbeddingPlan plan = planFor(problem, indices);
  ASSERT_TRUE(copiesSlicesFirst(plan));
  const Tensor slices = addSlices(run_.graph, plan, {"slices", Lifetime::Always});
  EXPECT_TRUE(slicesLieAsPlanned(run_.graph, plan, slices));
  EXPECT_FALSE(slicesLieAsPlanned(run_.graph, plan, given(plan, {5, 2}, numbersFrom(1, 10))));
  scatterAddRows(run_.graph, models::toyMachine(), {plan, slices, indicesOf(indices)}, {"s"},
                 run_.graph.program());
  EXPECT_EQ(run_.graph.copies().size(), 0U);
}

TEST_F(PlannedLookUps, IndicesLieOnTheFirstTilesOfThePlan) {
  EmbeddingProblem problem = tableOf(16, 2, TableUse::Slice);
  const EmbeddingPlan plan = planFor(problem, RowList(70, 3));
  const Tensor indices = addIndices(run_.graph, plan, {"indices", Lifetime::Always});
  const auto& places = run_.graph.variable(indices.pieces().front().variable).mapping.intervals();
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].tile, TileId(plan.first_tile));
  EXPECT_EQ(places[0].end - places[0].begin, 35U);
}

TEST_F(PlannedLookUps, ATableWhoseRowsAreWholeTakesOneStage) {
  EmbeddingProblem problem = tableOf(5, 4, TableUse::Slice);
  problem.fixed = splits(1, 2, 1, 2);
  const RowList indices{4, 0, 0, 3, 5, 2, kFarBehind};
  expectGathered(planFor(problem, indices), indices);
  EXPECT_EQ(computeSets(), 1U);
  EXPECT_EQ(familiesOf(0), 4U);
}

TEST_F(PlannedLookUps, ATableWhoseRowsAreSplitTakesTwoStages) {
  EmbeddingProblem problem = tableOf(7, 4, TableUse::Slice);
  problem.fixed = splits(1, 1, 2, 2);
  const RowList indices{6, 0, 4, 3, 2, 8, kFarBehind};
  expectGathered(planFor(problem, indices), indices);
  ASSERT_EQ(computeSets(), 5U);
  EXPECT_EQ(run_.graph.computeSets()[1].name, "g/candidate/part");
  EXPECT_EQ(familiesOf(0), 4U);
  EXPECT_EQ(familiesOf(4), 4U);
  // Parts of four rows: the division is a shift.
  EXPECT_EQ(run_.graph.computeSets()[1].families[0].type->name,
            "popops::BinaryOp1D<SHIFT_RIGHT,unsigned int>");
}

TEST_F(PlannedLookUps, APartOfThreeRowsIsFoundByADivision) {
  EmbeddingProblem problem = tableOf(6, 2, TableUse::Slice);
  problem.fixed = splits(1, 2, 2, 1);
  const RowList indices{5, 3, 0};
  expectGathered(planFor(problem, indices), indices);
  EXPECT_EQ(run_.graph.computeSets()[1].families[0].type->name,
            "popops::BinaryOp1D<DIVIDE,unsigned int>");
}

TEST_F(PlannedLookUps, SerialStepsFollowEachOther) {
  EmbeddingProblem problem = tableOf(5, 2, TableUse::Slice);
  problem.fixed = splits(3, 2, 1, 1);
  const RowList indices{4, 1, 0, 3, 2, 2, 4, 1, 0, 0, 3};
  problem.fixed.broadcast = TableBroadcast::EachStep;
  expectGathered(planFor(problem, indices), indices);
  EXPECT_EQ(computeSets(), 3U);
  problem.fixed.broadcast = TableBroadcast::BeforeSteps;
  expectGathered(planFor(problem, indices), indices);
  EXPECT_EQ(computeSets(), 3U);
}

TEST_F(PlannedLookUps, ATableThatLiesAsPlannedStaysThere) {
  EmbeddingProblem problem = tableOf(5, 8, TableUse::Slice);
  problem.fixed = splits(1, 1, 1, 4);
  const RowList indices{3};
  const EmbeddingPlan plan = planFor(problem, indices);
  Program program;
  const Tensor table = addTable(run_.graph, plan, {"t", Lifetime::Always});
  EXPECT_TRUE(liesAsPlanned(run_.graph, plan, table));
  EXPECT_EQ(arrangeTable(run_.graph, plan, {table, 5}, "t", program).pieces().front().variable,
            table.pieces().front().variable);
  EXPECT_TRUE(run_.graph.copies().empty());
  run_.give(table, numbersFrom(0, 40));
  const Tensor found = gatherRows(run_.graph, models::toyMachine(),
                                  {plan, table, indicesOf(indices)}, "g", run_.graph.program());
  // One exchange brings the index.
  EXPECT_EQ(executor::stepsOf(run_.compile(), StepKind::Exchange), 1U);
  const Values all = numbersFrom(0, 40);
  EXPECT_EQ(valuesOf(found), Values(all.begin() + 24, all.begin() + 32));
}

TEST_F(PlannedLookUps, ATableThatLiesElsewhereIsCopied) {
  EmbeddingProblem problem = tableOf(5, 8, TableUse::Slice);
  problem.fixed = splits(1, 1, 1, 4);
  const EmbeddingPlan plan = planFor(problem, {3});
  problem.fixed = splits(1, 1, 2, 2);
  const Tensor table = addTable(run_.graph, planFor(problem, {3}), {"t", Lifetime::Always});
  EXPECT_FALSE(liesAsPlanned(run_.graph, plan, table));
  const Tensor arranged = arrangeTable(run_.graph, plan, {table, 5}, "t", run_.graph.program());
  EXPECT_TRUE(liesAsPlanned(run_.graph, plan, arranged));
  EXPECT_EQ(run_.graph.copies().size(), 1U);
}

TEST_F(PlannedLookUps, UpdatesOfWholeIndicesAddToTheTable) {
  EmbeddingProblem problem = tableOf(6, 4, TableUse::Update);
  problem.fixed = splits(1, 1, 2, 2);
  const RowList indices{2, 0, 2, 5, 6, kFarBehind, 2};
  expectAdded(planFor(problem, indices), indices);
  // The table is cleared, then updated.
  EXPECT_EQ(computeSets(), 2U);
  EXPECT_EQ(familiesOf(1), 4U);
}

TEST_F(PlannedLookUps, UpdatesOfSplitIndicesSumTablesOfPartials) {
  EmbeddingProblem problem = tableOf(3, 2, TableUse::Update);
  problem.fixed = splits(1, 4, 1, 1);
  RowList indices(1000);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i % 4;
  expectAdded(planFor(problem, indices), indices);
  // Both tables are cleared; the partials are updated, summed and added to the table.
  EXPECT_EQ(computeSets(), 5U);
  problem.fixed = splits(2, 2, 2, 1);
  problem.type = ElementType::Half;
  problem.rows = 6;
  const RowList few{5, 0, 0, 3, 2, 7, 4};
  expectAdded(planFor(problem, few), few);
}

TEST_F(PlannedLookUps, SlicesOfManyRowPartsAreCopiedOnce) {
  EmbeddingProblem problem = tableOf(8, 2, TableUse::Update);
  problem.fixed = splits(1, 1, 4, 1);
  expectAdded(planFor(problem, {7, 0, 7, 3, 2}), {7, 0, 7, 3, 2});
  EXPECT_EQ(run_.graph.copies().front().name, "s/slices");
}

TEST_F(PlannedLookUps, TakesARowForEachIndex) {
  const EmbeddingPlan plan = planFor(tableOf(3, 2, TableUse::SliceAndUpdate), {1, 2});
  const Tensor rows = run_.on(0, {4, 2});
  Program program;
  EXPECT_THROW(scatterAddRows(run_.graph, models::toyMachine(), {plan, rows, indicesOf({1, 2})},
                              {"s"}, program),
               InternalError);
}

/// Draws problems, fixed splits and indices.
class RandomPlannedRows : public PlannedLookUps {
 protected:
  std::uint64_t upTo(std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(1, most)(random_);
  }
  EmbeddingProblem drawProblem(TableUse use, std::uint64_t most) {
    EmbeddingProblem problem = tableOf(upTo(most), upTo(most), use);
    problem.type = upTo(2) == 1 ? ElementType::Half : ElementType::Float;
    return problem;
  }
  /// Some rows that the table does not have are among them.
  RowList drawIndices(const EmbeddingProblem& problem, std::uint64_t most) {
    RowList indices(upTo(most));
    for (std::uint64_t& index : indices) index = upTo(problem.rows + 1) - 1;
    return indices;
  }
  /// A plan with random splits, where these are allowed.
  std::optional<EmbeddingPlan> drawPlan(EmbeddingProblem problem, const RowList& indices) {
    problem.fixed =
        splits(upTo(3), static_cast<std::uint32_t>(upTo(4)), static_cast<std::uint32_t>(upTo(4)),
               static_cast<std::uint32_t>(upTo(3)));
    if (problem.use == TableUse::Slice && upTo(2) == 1) {
      problem.fixed.broadcast = TableBroadcast::BeforeSteps;
    }
    try {
      return planFor(problem, indices);
    } catch (const ConfigError&) {
      return std::nullopt;
    }
  }
  void check(const EmbeddingPlan& plan, const RowList& indices, const Machine& machine) {
    const EmbeddingSplits& splits = plan.splits;
    SCOPED_TRACE(testing::Message()
                 << plan.problem.rows << " x " << plan.problem.columns << ", " << indices.size()
                 << " indices, serial " << splits.serial << ", look-ups " << splits.look_ups
                 << ", rows " << splits.rows << ", columns " << splits.columns);
    if (isSliced(plan.problem.use)) {
      expectGathered(plan, indices, machine);
    } else {
      expectAdded(plan, indices, machine);
    }
  }

  std::mt19937_64 random_{2026};
};

TEST_F(RandomPlannedRows, PlansOfEveryKindFindTheRightRows) {
  // Two stages, several look-up parts and several serial steps: each alone and with the others.
  std::set<std::tuple<TableUse, bool, bool, bool>> kinds;
  std::size_t planned = 0;
  while (planned < 300) {
    const TableUse use = upTo(2) == 1 ? TableUse::Slice : TableUse::Update;
    const EmbeddingProblem problem = drawProblem(use, 14);
    const RowList indices = drawIndices(problem, 20);
    const auto plan = drawPlan(problem, indices);
    if (!plan) continue;
    ++planned;
    const EmbeddingSplits& splits = plan->splits;
    kinds.insert({use, splits.rows > 1, splits.look_ups > 1, splits.serial > 1});
    check(*plan, indices, models::toyMachine());
    if (HasFailure()) return;
  }
  EXPECT_EQ(kinds.size(), 16U);
}

TEST_F(RandomPlannedRows, PlansOfAnIpuFindTheRightRows) {
  for (int i = 0; i < 12; ++i) {
    const TableUse use = i % 2 == 0 ? TableUse::Slice : TableUse::Update;
    const EmbeddingProblem problem = drawProblem(use, i < 6 ? 60 : 700);
    const RowList indices = drawIndices(problem, 300);
    check(planFor(problem, indices, models::gc200()), indices, models::gc200());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace ipusim::workloads
