// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/sum_rows.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/execute/toy_run.h"

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

/// 1, 2, 3, …
Values countingRows(std::size_t elements) {
  Values values(elements);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

Values columnSums(const Values& values, std::size_t columns) {
  Values sums(columns);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i % columns] += values[i];
  return sums;
}

class SumRowsTest : public testing::Test {
 protected:
  Tensor sumOf(const Tensor& matrix) {
    run_.give(matrix, countingRows(matrix.elements()));
    return sumRows(run_.graph, models::toyMachine(), matrix, {"sum", Lifetime::Always},
                   run_.graph.program());
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const ComputeSet& set : run_.graph.computeSets()) names.push_back(set.name);
    return names;
  }
  /// A variable with `width` columns per tile.
  Tensor columnsOnTiles(std::uint64_t rows, std::uint64_t columns, std::uint64_t width) {
    Tensor matrix =
        run_.graph.addVariable(ElementType::Float, {rows, columns}, "matrix", Lifetime::Always);
    for (std::uint64_t r = 0; r < rows; ++r) {
      for (std::uint64_t c = 0; c < columns; c += width) {
        run_.graph.setTileMapping(
            matrix.slice(r, r + 1, 0).slice(c, std::min(c + width, columns), 1),
            TileId(static_cast<std::uint32_t>(c / width % ToyRun::toyTiles())));
      }
    }
    return matrix;
  }
  ToyRun run_;
};

const char* const kOnTile = "sum/ReduceOnTile/InToIntermediateNoExchange/Reduce";
const char* const kLast = "sum/ReduceFinalStage/IntermediateToOutput/Reduce";

TEST_F(SumRowsTest, TakesOneStepWhereEachColumnIsOnATile) {
  const Tensor matrix = columnsOnTiles(6, 10, 3);
  const Tensor sums = sumOf(matrix);
  EXPECT_EQ(names(), (std::vector<std::string>{"sum/Reduce"}));
  EXPECT_EQ(run_.result(sums), columnSums(countingRows(60), 10));
  // Nothing moves.
  EXPECT_EQ(executor::stepsOf(run_.compile(), StepKind::Exchange), 0U);
}

TEST_F(SumRowsTest, AddsUpOnTilesFirst) {
  const Tensor sums = sumOf(run_.spread({40, 5}, 50));
  EXPECT_EQ(names(), (std::vector<std::string>{kOnTile, kLast}));
  EXPECT_EQ(run_.result(sums), columnSums(countingRows(200), 5));
}

TEST_F(SumRowsTest, LeavesOutTheStepOnTilesThatHoldARow) {
  const Tensor sums = sumOf(run_.spread({4, 37}, 37));
  EXPECT_EQ(names(), (std::vector<std::string>{kLast}));
  EXPECT_EQ(run_.result(sums), columnSums(countingRows(148), 37));
}

TEST_F(SumRowsTest, IsRightWhereverRowsAreCut) {
  for (const std::uint64_t grain : {1U, 2U, 3U, 7U, 10U, 23U, 64U, 200U}) {
    for (const std::uint64_t columns : {1U, 4U, 9U, 30U}) {
      ToyRun run;
      const Tensor matrix = run.spread({13, columns}, grain);
      run.give(matrix, countingRows(13 * columns));
      const Tensor sums = sumRows(run.graph, models::toyMachine(), matrix,
                                  {"sum", Lifetime::Always}, run.graph.program());
      EXPECT_EQ(run.result(sums), columnSums(countingRows(13 * columns), columns))
          << grain << " " << columns;
    }
  }
}

TEST_F(SumRowsTest, SumsHalvesInFloat) {
  const Tensor matrix =
      run_.graph.addVariable(ElementType::Half, {4100, 1}, "halves", Lifetime::Always);
  run_.graph.mapLinearly(matrix, models::toyMachine(), Bytes(2));
  run_.give(matrix, Values(4100, 1));
  const Tensor sums = sumRows(run_.graph, models::toyMachine(), matrix, {"sum", Lifetime::Always},
                              run_.graph.program());
  EXPECT_EQ(run_.result(sums), (Values{4100}));
  EXPECT_EQ(sums.type(), ElementType::Half);
}

TEST_F(SumRowsTest, TakesAPartOfAVariable) {
  const Tensor all = run_.spread({9, 6}, 5);
  run_.give(all, countingRows(54));
  const Tensor sums = sumRows(run_.graph, models::toyMachine(), all.slice(3, 8, 0),
                              {"sum", Lifetime::Always}, run_.graph.program());
  Values wanted(6);
  for (std::size_t i = 18; i < 48; ++i) wanted[i % 6] += static_cast<double>(i + 1);
  EXPECT_EQ(run_.result(sums), wanted);
}

class SumRowsOnChip : public testing::Test {
 protected:
  /// The compute sets of summing `rows` ones per column, spread linearly over the tiles of the
  /// chip.
  static std::size_t computeSets(std::uint64_t rows, std::uint64_t columns) {
    Graph graph;
    const Machine& machine = models::gc200();
    const Tensor matrix =
        graph.addVariable(ElementType::Float, {rows, columns}, "matrix", Lifetime::Always);
    graph.mapLinearly(matrix, machine, Bytes(128));
    const Tensor sums = sumRows(graph, machine, matrix, {"sum", Lifetime::Always}, graph.program());
    const compiler::Executable executable = compiler::compile(graph, machine);
    executor::TileMemories memories(executable);
    executor::HostAccess host(graph, executable, memories);
    host.write({"matrix", matrix}, Values(matrix.elements(), 1));
    executor::execute(executable, memories);
    EXPECT_EQ(host.read({"sums", sums}), Values(columns, static_cast<double>(rows)));
    return graph.computeSets().size();
  }
};

TEST_F(SumRowsOnChip, TakesMoreStagesTheMorePartialsThereAre) {
  EXPECT_EQ(computeSets(50, 10), 2U);
  EXPECT_EQ(computeSets(50, 1024), 1U);
  // Some 1472 partials of four columns.
  EXPECT_EQ(computeSets(25'600, 4), 3U);
}

}  // namespace
}  // namespace ipusim::workloads
