// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/multi_slice.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using checker::ToyRun;
using checker::Values;

class MultiSliceTest : public testing::Test {
 protected:
  using Rows = std::vector<std::uint64_t>;

  /// A table (rows, columns) with the elements 10 row + column.
  Tensor table(std::uint64_t rows, std::uint64_t columns) {
    Tensor table = run_.spread({rows, columns}, 3);
    Values values;
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        values.push_back(static_cast<double>(10 * r + c));
      }
    }
    run_.give(table, values);
    return table;
  }
  Tensor indices(const Rows& rows) {
    return addRowIndices(run_.graph, models::toyMachine(), rows, "indices");
  }
  Tensor gather(const Tensor& table, const Tensor& indices) {
    return gatherRows(run_.graph, models::toyMachine(), {table, indices}, "g",
                      run_.graph.program());
  }
  Tensor scatter(const Tensor& source, const Rows& rows, std::uint64_t target) {
    return scatterAddRows(run_.graph, models::toyMachine(), {source, indices(rows), target},
                          {"s", Lifetime::Always}, run_.graph.program());
  }
  /// The values of a temporary.
  Values valuesOf(const Tensor& tensor) {
    const Tensor kept = run_.on(0, tensor.shape());
    run_.graph.program().add(run_.graph.copy(tensor, kept, "keep"));
    return run_.result(kept);
  }
  [[nodiscard]] std::size_t computeSets() const { return run_.graph.computeSets().size(); }
  ToyRun run_;
};

TEST_F(MultiSliceTest, GathersRowsByColumns) {
  const Tensor rows = gather(table(3, 9), indices({2, 0, 2, 1}));
  // A tile has 2 or 3 of 9 columns.
  EXPECT_EQ(run_.graph.computeSets()[0].families.size(), 4U);
  EXPECT_EQ(computeSets(), 1U);
  EXPECT_EQ(rows.shape(), (Shape{4, 9}));
  Values wanted;
  for (const int row : {2, 0, 2, 1}) {
    for (int c = 0; c < 9; ++c) wanted.push_back(10 * row + c);
  }
  EXPECT_EQ(valuesOf(rows), wanted);
}

TEST_F(MultiSliceTest, SharesOutLookUpsWhereColumnsAreFew) {
  const Tensor rows = gather(table(5, 2), indices({4, 3, 3, 0, 1, 2, 4}));
  EXPECT_EQ(run_.graph.computeSets()[0].families.size(), 4U);
  EXPECT_EQ(valuesOf(rows), (Values{40, 41, 30, 31, 30, 31, 0, 1, 10, 11, 20, 21, 40, 41}));
}

TEST_F(MultiSliceTest, ReadsAnArrangedTableWhereItLies) {
  const Tensor arranged =
      arrangeTable(run_.graph, models::toyMachine(), {table(3, 8), 3}, "t", run_.graph.program());
  const Tensor rows = gather(arranged, indices({1}));
  const compiler::Executable executable = run_.compile();
  // One exchange arranges the table, one brings the numbers of the rows.
  EXPECT_EQ(checker::stepsOf(executable, StepKind::Exchange), 2U);
  EXPECT_EQ(valuesOf(rows), (Values{10, 11, 12, 13, 14, 15, 16, 17}));
}

TEST_F(MultiSliceTest, AddsRowsToAClearedTable) {
  const Tensor sums = scatter(table(4, 8), {2, 0, 2, 5}, 6);
  EXPECT_EQ(computeSets(), 2U);
  EXPECT_EQ(run_.graph.computeSets()[0].name, "s/multiUpdateAdd");
  Values wanted(48);
  for (std::size_t c = 0; c < 8; ++c) {
    const auto column = static_cast<double>(c);
    wanted[0 * 8 + c] = 10 + column;
    wanted[2 * 8 + c] = 20 + 2 * column;
    wanted[5 * 8 + c] = 30 + column;
  }
  EXPECT_EQ(run_.result(sums), wanted);
}

TEST_F(MultiSliceTest, AddsUpTheTablesOfItsShares) {
  // Many rows go into three of one element: the shares pay for the sum of their tables.
  Rows rows(1000);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i % 3;
  const Tensor source = run_.spread({1000, 1}, 7);
  Values values(1000);
  std::iota(values.begin(), values.end(), 0);
  run_.give(source, values);
  const Tensor sums = scatter(source, rows, 3);
  EXPECT_EQ(run_.graph.computeSets()[0].families.size(), 4U);
  EXPECT_EQ(computeSets(), 3U);
  EXPECT_EQ(run_.result(sums), (Values{166'833, 166'167, 166'500}));
}

TEST_F(MultiSliceTest, TakesARowForEachIndex) {
  EXPECT_THROW(scatter(table(4, 2), {1, 2}, 3), InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
