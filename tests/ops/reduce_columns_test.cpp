// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/reduce_columns.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

class ReduceColumnsTest : public testing::Test {
 protected:
  Tensor sum(const Tensor& matrix) {
    return sumColumns(run_.graph, models::toyMachine(), matrix, "rows", run_.graph.program());
  }
  /// The values of a temporary.
  Values valuesOf(const Tensor& tensor) {
    const Tensor kept = run_.on(0, tensor.shape());
    run_.graph.program().add(run_.graph.copy(tensor, kept, "keep"));
    return run_.result(kept);
  }
  ToyRun run_;
};

TEST_F(ReduceColumnsTest, GivesTheSumAndTheMaximumOfEachRow) {
  const Tensor matrix = run_.spread({5, 3}, 3);
  run_.give(matrix, {1, 2, 3, 4, 6, 5, -9, -8, -7, 0, 0, 1, 10, 20, 30});
  const Tensor sums = sum(matrix);
  const Tensor maxima =
      maxColumns(run_.graph, models::toyMachine(), matrix, "max", run_.graph.program());
  EXPECT_EQ(valuesOf(sums), (Values{6, 15, -24, 1, 60}));
  EXPECT_EQ(valuesOf(maxima), (Values{3, 6, -7, 1, 30}));
  EXPECT_EQ(run_.graph.computeSets()[0].name, "rows/Reduce");
}

TEST_F(ReduceColumnsTest, SharesTheRowsOfATileBetweenItsWorkers) {
  const Tensor matrix = run_.on(1, {14, 2});
  run_.give(matrix, Values(28, 2));
  const Tensor sums = sum(matrix);
  // 14 rows, 3 for a worker.
  EXPECT_EQ(run_.graph.computeSets()[0].families.size(), 5U);
  EXPECT_EQ(valuesOf(sums), Values(14, 4));
}

TEST_F(ReduceColumnsTest, WantsWholeRows) {
  EXPECT_THROW(sum(run_.spread({4, 4}, 3)), InternalError);
}

TEST_F(ReduceColumnsTest, MapsRowsToTiles) {
  const Tensor matrix = run_.graph.addVariable(ElementType::Float, {6, 5}, "m", Lifetime::Always);
  mapRows(run_.graph, models::toyMachine(), matrix);
  for (const MappedInterval& interval : run_.graph.variables()[0].mapping.intervals()) {
    EXPECT_EQ(interval.begin % 5, 0U);
    EXPECT_LE(interval.end - interval.begin, 10U);
  }
}

}  // namespace
}  // namespace ipusim::workloads
