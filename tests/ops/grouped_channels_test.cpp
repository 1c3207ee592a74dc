// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "tests/execute/toy_run.h"
#include "workloads/ops/conv/transposed_blocks.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/norm/channel_norm.h"
#include "workloads/ops/placement/column_boxes.h"
#include "workloads/ops/reduce/sum_rows.h"

// Steps on tensors that lie in groups of channels, as convolutions leave them.

namespace ipusim::workloads {
namespace {

using executor::ToyRun;
using executor::Values;

Values counting(std::size_t elements) {
  Values values(elements);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

/// (samples, channels, field) in memory as (groups of two channels, samples, field, 2), with the
/// rows of a group on two tiles.
Tensor grouped(ToyRun& run, const Shape& shape) {
  const std::uint64_t rows = shape[0] * shape[2];
  const Tensor stored = run.spread({shape[1] / 2, shape[0], shape[2], 2}, rows);
  return stored.dimShuffle({1, 0, 3, 2}).reshape(shape);
}

Tensor channelsLast(const Tensor& tensor) {
  return tensor.dimShuffle({0, 2, 1});
}

class GroupedChannels : public testing::Test {
 protected:
  [[nodiscard]] const ComputeSet& firstSet() const { return run_.graph.computeSets().at(0); }
  ToyRun run_;
};

TEST_F(GroupedChannels, HaveOneBoxPerTileAndGroup) {
  const Tensor x = grouped(run_, {2, 4, 3});
  const std::vector<ColumnBox> boxes = columnBoxesOf(run_.graph, channelsLast(x));
  ASSERT_EQ(boxes.size(), 4U);
  for (const ColumnBox& box : boxes) {
    EXPECT_EQ(box.rows, 3U);
    EXPECT_EQ(box.columns, 2U);
  }
  EXPECT_EQ(boxes[2].column, 2U);
  EXPECT_EQ(boxes[3].tile, TileId(3));
}

TEST_F(GroupedChannels, TakeAVectorIntoAnotherTensor) {
  const Tensor x = grouped(run_, {2, 4, 3});
  const Tensor factors = run_.on(1, {4});
  run_.give(x, counting(24));
  run_.give(factors, {1, 10, 100, 1000});
  const Tensor y = grouped(run_, {2, 4, 3});
  addVectorBroadcast(run_.graph,
                     {models::BinaryOp::Multiply, channelsLast(x), factors, channelsLast(y)},
                     "times", run_.graph.program());
  const Values result = run_.result(y);
  for (std::size_t e = 0; e < 24; ++e) {
    const double factor = std::vector<double>{1, 10, 100, 1000}[e / 3 % 4];
    EXPECT_EQ(result[e], static_cast<double>(e + 1) * factor);
  }
  EXPECT_EQ(run_.result(x), counting(24));
  EXPECT_EQ(firstSet().families.size(), 4U);
  EXPECT_EQ(firstSet().families[0].type->name, "popops::BroadcastVectorInner1D<MULTIPLY,float>");
}

/// Adds (1, 10, 100, 1000) to the channels of `x`, which counts from 1, in place.
void expectVectorAdded(ToyRun& run, const Tensor& x) {
  const Tensor vector = run.on(1, {4});
  run.give(x, counting(x.elements()));
  run.give(vector, {1, 10, 100, 1000});
  const Tensor rows = channelsLast(x);
  addVectorBroadcast(run.graph, {models::BinaryOp::Add, rows, vector, rows}, "add",
                     run.graph.program());
  const Values result = run.result(x);
  const std::uint64_t field = x.shape()[2];
  for (std::size_t e = 0; e < x.elements(); ++e) {
    const double added = std::vector<double>{1, 10, 100, 1000}[e / field % 4];
    EXPECT_EQ(result[e], static_cast<double>(e + 1) + added);
  }
}

TEST(ChannelVector, IsAddedWhereTheSamplesOfAPositionAreNeighbours) {
  ToyRun run;
  expectVectorAdded(run, run.spread({4, 5, 2}, 5).dimShuffle({2, 0, 1}));
}

TEST(ChannelVector, IsAddedWhereNoTwoElementsOfTheTensorAreNeighbours) {
  ToyRun run;
  const Tensor stored = run.spread({2, 4, 5, 3}, 30);
  expectVectorAdded(run, stored.slice(1, 2, 3).reshape({2, 4, 5}));
}

TEST_F(GroupedChannels, AreSummedAndSquaredTogether) {
  const Tensor x = grouped(run_, {2, 4, 3});
  run_.give(x, counting(24));
  HeldColumns columns{columnRunsByTile(run_.graph, channelsLast(x)), 8, ElementType::Float};
  for (TileColumns own : columnRunsByTile(run_.graph, channelsLast(x))) {
    own.begin += 4;
    own.end += 4;
    own.op = models::ReduceOp::SquareAdd;
    columns.held.push_back(std::move(own));
  }
  const Tensor sums = sumHeldRows(run_.graph, models::toyMachine(), columns,
                                  {"sums", Lifetime::Always}, run_.graph.program());
  Values wanted(8);
  for (std::size_t e = 0; e < 24; ++e) {
    const auto value = static_cast<double>(e + 1);
    wanted[e / 3 % 4] += value;
    wanted[4 + e / 3 % 4] += value * value;
  }
  EXPECT_EQ(run_.result(sums), wanted);
}

TEST_F(GroupedChannels, AreWhatANormStaysWith) {
  const Machine& machine = models::toyMachine();
  const Tensor x = grouped(run_, {2, 4, 3});
  EXPECT_TRUE(ChannelNorm::takes(run_.graph, machine, x));
  // Rows of a channel are not.
  EXPECT_FALSE(ChannelNorm::takes(run_.graph, machine, run_.spread({2, 4, 3}, 6)));
  // Two variables are not one.
  const Tensor two = concat({x, grouped(run_, {2, 4, 3})}, 0);
  EXPECT_FALSE(ChannelNorm::takes(run_.graph, machine, two));
}

/// Rows of an operand of `rows` x 4 on two tiles, whose source has them as columns.
class TurnedOperand : public GroupedChannels {
 protected:
  Tensor arrive(const Tensor& source) {
    Graph& graph = run_.graph;
    Arrivals arrivals;
    rows_ = rowsToTurn({source});
    if (rows_ == 1) return source;
    const Shape flat{source.elements()};
    Tensor storage = graph.addVariable(ElementType::Float, flat, "storage", Lifetime::Always);
    const Tensor arrived = graph.addVariable(ElementType::Float, flat, "arrived");
    const std::vector<TileId> tiles{TileId(1), TileId(2)};
    addTransposed(graph, {source, storage, arrived, tiles}, rows_, arrivals);
    arrivals.addSteps(graph, models::toyMachine(), "bring", graph.program());
    return storage.reshape(source.shape());
  }
  std::uint64_t rows_ = 0;
};

TEST_F(TurnedOperand, ArrivesAsItIsAndIsTransposedOnItsTiles) {
  const Tensor source = run_.spread({4, 16}, 64).dimShuffle({1, 0});
  run_.give(source, counting(64));
  const Tensor arrived = arrive(source);
  EXPECT_EQ(rows_, 16U);
  EXPECT_EQ(run_.result(arrived), counting(64));
  EXPECT_EQ(firstSet().name, "bring/Transpose");
}

TEST_F(TurnedOperand, IsTransposedInPartsOnSeveralTiles) {
  const Tensor source = run_.spread({4, 24}, 96).dimShuffle({1, 0});
  run_.give(source, counting(96));
  const Tensor arrived = arrive(source);
  EXPECT_EQ(rows_, 8U);
  EXPECT_EQ(run_.result(arrived), counting(96));
  EXPECT_EQ(firstSet().families.size(), 2U);
}

TEST_F(TurnedOperand, StaysAsItIsWithConsecutiveRowsAndWithOddOnes) {
  arrive(run_.spread({16, 4}, 64));
  EXPECT_EQ(rows_, 1U);
  arrive(run_.spread({4, 15}, 60).dimShuffle({1, 0}));
  EXPECT_EQ(rows_, 1U);
}

TEST_F(GroupedChannels, AreClearedByAListPerWorker) {
  // Every third element, cut into parts that do not continue one another.
  const Tensor all = run_.on(2, {60});
  run_.give(all, counting(60));
  std::vector<Tensor> holes;
  for (std::uint64_t e = 0; e < 60; e += 3) holes.push_back(all.slice(e, e + 1, 0));
  addZero(run_.graph, models::toyMachine(), holes, "zero", run_.graph.program());
  EXPECT_EQ(firstSet().families.size(), models::toyMachine().workers_per_tile);
  const Values result = run_.result(all);
  for (std::size_t e = 0; e < 60; ++e) {
    EXPECT_EQ(result[e], e % 3 == 0 ? 0 : static_cast<double>(e + 1));
  }
}

TEST_F(GroupedChannels, AreClearedByAllWorkersWhereTheOuterRowsAreFew) {
  // Two rows of 24 runs. Between the rows lies what keeps them from being one.
  const Tensor all = run_.on(2, {2, 25, 3});
  run_.give(all, counting(150));
  addZero(run_.graph, models::toyMachine(), {all.slice(0, 24, 1).slice(1, 2, 2)}, "zero",
          run_.graph.program());
  EXPECT_EQ(firstSet().families.size(), models::toyMachine().workers_per_tile);
  const Values result = run_.result(all);
  for (std::size_t e = 0; e < 150; ++e) {
    const bool cleared = e % 3 == 1 && e % 75 < 72;
    EXPECT_EQ(result[e], cleared ? 0 : static_cast<double>(e + 1));
  }
}

TEST_F(GroupedChannels, AreClearedInTheOrderOfTheirMemory) {
  const Tensor all = run_.on(2, {4, 3, 8});
  run_.give(all, counting(96));
  // The rows of 8 are the outermost dimension of the view.
  addZero(run_.graph, models::toyMachine(), {all.dimShuffle({2, 0, 1})}, "zero",
          run_.graph.program());
  for (const VertexFamily& family : firstSet().families) {
    EXPECT_EQ(family.type->name, "popops::Fill<float>");
  }
  EXPECT_EQ(run_.result(all), Values(96, 0));
}

TEST_F(GroupedChannels, AreClearedByAllWorkersWhereOneRunIsLong) {
  const Tensor all = run_.on(2, {100});
  run_.give(all, counting(100));
  const Tensor middle = all.slice(8, 95, 0);
  addZero(run_.graph, models::toyMachine(), {middle}, "zero", run_.graph.program());
  EXPECT_EQ(firstSet().families.size(), models::toyMachine().workers_per_tile);
  const Values result = run_.result(all);
  for (std::size_t e = 0; e < 100; ++e) {
    EXPECT_EQ(result[e], e < 8 || e >= 95 ? static_cast<double>(e + 1) : 0);
  }
}

}  // namespace
}  // namespace ipusim::workloads
