// SPDX-License-Identifier: Apache-2.0
#include "poplar/tests/runtime/library_fixture.h"
#include "popops/DynamicSlice.hpp"
#include "popops/ElementWise.hpp"

namespace {

using poplar::Tensor;
using testing::ElementsAre;

class Slices : public LibraryProgram {
 public:
  Tensor offsets(const std::vector<unsigned>& values) {
    return spread<unsigned>({values.size()}, values);
  }
  /// Row numbers of a look-up: (rows, 1).
  Tensor numbers(const std::vector<unsigned>& values) { return offsets(values).expand({1}); }

  const popops::SlicePlan plan = popops::SlicePlan();
};

TEST_F(Slices, TakesASliceFromAnOffsetThatThisRunReads) {
  const Tensor table = spread<int>({4, 3}, countingUp(12));
  const Tensor rows = popops::dynamicSlice(graph, table, offsets({1}), {0}, {2}, program);
  EXPECT_THAT(rows.shape(), ElementsAre(2, 3));
  EXPECT_THAT(after<int>(rows), ElementsAre(3, 4, 5, 6, 7, 8));
}

TEST_F(Slices, GoesOnAtTheBeginning) {
  const Tensor table = spread<int>({3, 2}, countingUp(6));
  const Tensor rows = popops::dynamicSlice(graph, table, offsets({2}), {0}, {2}, program);
  EXPECT_THAT(after<int>(rows), ElementsAre(4, 5, 0, 1));
}

TEST_F(Slices, SlicesSeveralDimensions) {
  const Tensor cube = spread<int>({3, 4, 2}, countingUp(24));
  const Tensor part = popops::dynamicSlice(graph, cube, offsets({1, 2}), {1, 0}, {2, 1}, program);
  EXPECT_THAT(part.shape(), ElementsAre(1, 2, 2));
  EXPECT_THAT(after<int>(part), ElementsAre(18, 19, 20, 21));
}

TEST_F(Slices, PutsAPartBack) {
  const Tensor square = spread<int>({3, 3}, countingUp(9));
  popops::dynamicUpdate(graph, square, spread<int>({2, 2}, {10, 20, 30, 40}), offsets({1, 0}),
                        {0, 1}, {2, 2}, program);
  EXPECT_THAT(after<int>(square), ElementsAre(0, 1, 2, 10, 20, 5, 30, 40, 8));
}

TEST_F(Slices, AnOffsetMayChangeBetweenRounds) {
  const Tensor list = spread<int>({6}, countingUp(6));
  const Tensor offset = spread<unsigned>({1}, {0});
  const Tensor sum = spread<int>({1}, {0});
  poplar::program::Sequence round;
  popops::addInPlace(graph, sum, popops::dynamicSlice(graph, list, offset, {0}, {1}, round), round);
  popops::addInPlace(graph, offset, 2U, round);
  program.add(poplar::program::Repeat(3, round));
  EXPECT_THAT(after<int>(sum), ElementsAre(0 + 2 + 4));
}

TEST_F(Slices, ASliceableTableKeepsRowsOfATileTogether) {
  const Tensor table = popops::createSliceableTensor(graph, poplar::FLOAT, {5, 16}, {0}, {1});
  EXPECT_THAT(table.shape(), ElementsAre(5, 16));
  const auto mapping = graph.getTileMapping(table[0]);
  for (std::size_t row = 1; row < 5; ++row) {
    EXPECT_EQ(graph.getTileMapping(table[row]), mapping);
  }
  EXPECT_THAT(mapping[1], ElementsAre(poplar::Interval(4, 8)));
}

TEST_F(Slices, ATableMayBeSlicedAlongAnotherDimension) {
  const Tensor table = popops::createSliceableTensor(graph, poplar::INT, {3, 5}, {1}, {2});
  graph.setInitialValue<int>(table, countingUp(15));
  const Tensor part = popops::dynamicSlice(graph, table, offsets({3}), {1}, {2}, program);
  EXPECT_THAT(after<int>(part), ElementsAre(3, 4, 8, 9, 13, 14));
}

TEST_F(Slices, SlicesOfATensorLieAsTheSliceThatItIsMadeFrom) {
  const Tensor slice = spread<int>({2, 3}, countingUp(6));
  const Tensor all = popops::createSliceableTensorFromSlice(graph, slice, {1, 0}, {2, 3});
  ASSERT_THAT(all.shape(), ElementsAre(6, 6));
  EXPECT_EQ(graph.getTileMapping(all.slice({2, 3}, {4, 6})), graph.getTileMapping(slice));
  const Tensor three = popops::createSliceTensor(graph, all, {0, 1}, {2, 3}, 3);
  ASSERT_THAT(three.shape(), ElementsAre(3, 2, 3));
  EXPECT_EQ(graph.getTileMapping(three[2]), graph.getTileMapping(slice));
}

TEST_F(Slices, LooksRowsUp) {
  const Tensor table =
      popops::createSliceableTensor(graph, poplar::FLOAT, {4, 5}, {0}, {1}, plan, {});
  std::vector<float> values(20);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  graph.setInitialValue<float>(table, values);
  const Tensor rows =
      popops::multiSlice(graph, table, numbers({3, 0, 3}), {0}, {1}, program, plan, {});
  ASSERT_THAT(rows.shape(), ElementsAre(3, 1, 5));
  EXPECT_THAT(after<float>(rows),
              ElementsAre(15, 16, 17, 18, 19, 0, 1, 2, 3, 4, 15, 16, 17, 18, 19));
}

TEST_F(Slices, LooksUpWholeNumbersOfATableThatLiesAnyhow) {
  const Tensor table = spread<int>({2, 4}, countingUp(8));
  const Tensor columns =
      popops::multiSlice(graph, table, numbers({3, 1}), {1}, {1}, program, plan, {});
  ASSERT_THAT(columns.shape(), ElementsAre(2, 2, 1));
  EXPECT_THAT(after<int>(columns), ElementsAre(3, 7, 1, 5));
}

TEST_F(Slices, LooksUpNumbersThatThisKnows) {
  const Tensor table = spread<int>({3, 2}, countingUp(6));
  EXPECT_THAT(after<int>(popops::multiSlice(graph, table, {2U, 0U}, 0, program)),
              ElementsAre(4, 5, 0, 1));
}

TEST_F(Slices, SetsRowsInTheOrderOfTheirNumbers) {
  const Tensor table = spread<int>({3, 2}, countingUp(6));
  const Tensor rows = spread<int>({3, 1, 2}, {10, 20, 30, 40, 50, 60});
  popops::multiUpdate(graph, table, rows, numbers({2, 0, 2}), {0}, {1}, program, plan, {});
  EXPECT_THAT(after<int>(table), ElementsAre(30, 40, 2, 3, 50, 60));
}

TEST_F(Slices, AddsScaledRows) {
  const Tensor table = spread<float>({3, 2}, {0, 1, 2, 3, 4, 5});
  const Tensor rows = spread<float>({3, 1, 2}, {10, 20, 30, 40, 50, 60});
  popops::multiUpdateAdd(graph, table, rows, numbers({2, 0, 2}), spread<float>({1}, {0.5F}), {0},
                         {1}, program, plan, {});
  EXPECT_THAT(after<float>(table), ElementsAre(15, 21, 2, 3, 34, 45));
}

TEST_F(Slices, RowsBeyondTheTableAreLeftOut) {
  const Tensor table = spread<int>({2, 2}, countingUp(4));
  popops::multiUpdate(graph, table, spread<int>({1, 1, 2}, {10, 20}), numbers({7}), {0}, {1},
                      program, plan, {});
  EXPECT_THAT(after<int>(table), ElementsAre(0, 1, 2, 3));
}

TEST_F(Slices, MovesElementsOfEightBytes) {
  const Tensor table = spread<long long>({3, 2}, {1LL << 40, 2, 3, 4, 5LL << 40, 6});
  const Tensor row = popops::dynamicSlice(graph, table, offsets({2}), {0}, {1}, program);
  const Tensor rows = popops::multiSlice(graph, table, numbers({0}), {0}, {1}, program, plan, {});
  EXPECT_THAT(after<long long>(poplar::concat(row.flatten(), rows.flatten())),
              ElementsAre(5LL << 40, 6, 1LL << 40, 2));
}

TEST_F(Slices, ASavedProgramMovesTheSameRows) {
  const Tensor table = spread<float>({3, 2}, {0, 1, 2, 3, 4, 5});
  const Tensor rows = popops::multiSlice(graph, table, numbers({2}), {0}, {1}, program, plan, {});
  popops::multiUpdate(graph, table, rows, numbers({0}), {0}, {1}, program, plan, {});
  popops::multiUpdateAdd(graph, table, rows, numbers({1}), spread<float>({1}, {2}), {0}, {1},
                         program, plan, {});
  const Tensor first = popops::dynamicSlice(graph, table, offsets({0}), {0}, {2}, program);
  graph.createHostRead("first", first);
  std::stringstream file;
  poplar::compileGraph(graph, {program}).serialize(file);
  poplar::Engine engine(poplar::Executable::deserialize(file));
  engine.loadAndRun(device);
  std::vector<float> found(4);
  engine.readTensor("first", found.data(), found.data() + found.size());
  EXPECT_THAT(found, ElementsAre(4, 5, 10, 13));
}

TEST_F(Slices, WrongSizesAreRefused) {
  const Tensor table = spread<int>({2, 2}, countingUp(4));
  EXPECT_THROW(popops::dynamicSlice(graph, table, offsets({0}), {0}, {3}, program),
               poputil::poplibs_error);
  EXPECT_THROW(popops::dynamicSlice(graph, table, offsets({0}), {2}, {1}, program),
               poputil::poplibs_error);
  EXPECT_THROW(popops::dynamicSlice(graph, table, offsets({0, 1}), {0}, {1}, program),
               poputil::poplibs_error);
  EXPECT_THROW(popops::dynamicUpdate(graph, table, table, offsets({0}), {0}, {1}, program),
               poputil::poplibs_error);
  EXPECT_THROW(
      popops::multiUpdate(graph, table, table, numbers({0, 1}), {0}, {1}, program, plan, {}),
      poputil::poplibs_error);
}

TEST_F(Slices, DimensionsAreSlicedOnce) {
  const Tensor table = spread<int>({2, 2}, {1, 2, 3, 4});
  EXPECT_THROW(popops::dynamicSlice(graph, table, offsets({0, 0}), {0, 0}, {1, 1}, program),
               poputil::poplibs_error);
  EXPECT_THROW(popops::createSliceableTensor(graph, poplar::INT, {2, 3}, {0, 0}, {1, 1}),
               poputil::poplibs_error);
  EXPECT_THROW(popops::createSliceableTensorFromSlice(graph, table, {0, 1}, {2}),
               poputil::poplibs_error);
}

TEST_F(Slices, NothingIsLookedUpInATableWithoutColumns) {
  const Tensor empty = graph.addVariable(poplar::INT, {4, 0}, "empty");
  EXPECT_THROW(
      popops::multiSlice(graph, empty, offsets({0}).reshape({1, 1}), {0}, {1}, program, {}, {}),
      poputil::poplibs_error);
}

TEST_F(Slices, WholeNumbersAreNotAdded) {
  const Tensor table = spread<int>({2, 2}, countingUp(4));
  EXPECT_THROW(popops::multiUpdateAdd(graph, table, spread<int>({1, 1, 2}, {1, 2}), numbers({0}),
                                      spread<int>({1}, {1}), {0}, {1}, program, plan, {}),
               poplar::poplar_error);
}

}  // namespace
