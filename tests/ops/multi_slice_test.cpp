// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/multi_slice.h"

#include <gtest/gtest.h>

#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

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

TEST_F(MultiSliceTest, ReadsATableWhereItLies) {
  const Tensor own = addTable(run_.graph, models::toyMachine(), {ElementType::Float, 2, 8},
                              {"t", Lifetime::Always});
  run_.give(own, {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17});
  const Tensor rows = gather(own, indices({1}));
  // One exchange brings the numbers of the rows.
  EXPECT_EQ(executor::stepsOf(run_.compile(), StepKind::Exchange), 1U);
  EXPECT_EQ(valuesOf(rows), (Values{10, 11, 12, 13, 14, 15, 16, 17}));
}

}  // namespace
}  // namespace ipusim::workloads
