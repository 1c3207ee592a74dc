// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/support/toy_machine.h"
#include "tests/vertices/plain_data.h"
#include "workloads/vertices/movement/data_movement.h"

namespace ipusim::workloads {
namespace {

constexpr LookUpShape kShape{ElementType::Float, 3, 2, 4};
const Numbers kOffsets{2, 0, 2, 3};
const Numbers kTable{1, 2, 3, 4, 5, 6};

TEST(MultiSlice, TakesRowsByTheirNumbers) {
  // The table has no row 3.
  EXPECT_EQ(computed(multiSliceVertex(kShape), {kOffsets, kTable, {}}, 2),
            (Numbers{5, 6, 1, 2, 5, 6, 0, 0}));
}

TEST(MultiSlice, CostsWhatItsCodeTakes) {
  const VertexType type = multiSliceVertex(kShape);
  EXPECT_EQ(type.cycles(models::gc200()), Cycles(6U * (33 + 4 * (23 + 2))));
  EXPECT_EQ(type.name, "popops::MultiSlice<float>");
  EXPECT_EQ(type.sizes.state, Bytes(32));
  // The workers share a single row: 12 pairs of elements, 2 each. Their code is not counted.
  EXPECT_EQ(multiSliceVertex({ElementType::Float, 3, 24, 1}).cycles(models::gc200()),
            Cycles(6U * (30 + 19 + 4)));
}

TEST(MultiUpdate, PutsRowsInTheirPlaces) {
  const Numbers rows{10, 20, 30, 40, 50, 60, 70, 80};
  EXPECT_EQ(computed(multiUpdateVertex(kShape), {kOffsets, kTable, rows}, 1),
            (Numbers{30, 40, 3, 4, 50, 60}));
}

TEST(MultiUpdate, CostsThePublishedEstimate) {
  const VertexType type = multiUpdateVertex(kShape);
  EXPECT_EQ(type.cycles(models::gc200()), Cycles(6U * (29 + 4 * (19 + 2))));
  EXPECT_EQ(type.name, "popops::MultiUpdate<float>");
  EXPECT_EQ(type.fields[1].direction, FieldDirection::InOut);
}

TEST(MultiUpdateAdd, AddsRowsInTheirPlaces) {
  const Numbers rows{10, 20, 30, 40, 50, 60, 70, 80};
  EXPECT_EQ(computed(multiUpdateAddVertex(kShape), {kOffsets, kTable, rows, {2}}, 1),
            (Numbers{61, 82, 3, 4, 125, 166}));
}

TEST(MultiUpdateAdd, CostsThePublishedEstimate) {
  const VertexType type = multiUpdateAddVertex(kShape);
  EXPECT_EQ(type.cycles(models::gc200()), Cycles(6U * (37 + 4 * 8)));
  EXPECT_EQ(type.name, "popops::ScaledMultiUpdateOp<float,float,ADD>");
  EXPECT_EQ(type.sizes.state, Bytes(36));
  EXPECT_EQ(type.work.flops, Flops(16));
  // A row of three halves ends inside a word.
  EXPECT_EQ(multiUpdateAddCycles(models::gc200(), {ElementType::Half, 3, 3, 4}),
            Cycles(6U * (37 + 4 * (13 + 60))));
}

/// Rows 3 to 5 of a table of 12.
constexpr LookUpShape kPart{ElementType::Float, 3, 2, 4, 3, 12};
const Numbers kOffsetsAround{5, 3, 2, 6};

TEST(MultiSlice, SkipsRowsOfOtherParts) {
  EXPECT_EQ(computed(multiSliceVertex(kPart), {kOffsetsAround, kTable, {}}, 2),
            (Numbers{5, 6, 1, 2, 0, 0, 0, 0}));
  const Numbers rows{10, 20, 30, 40, 50, 60, 70, 80};
  EXPECT_EQ(computed(multiUpdateAddVertex(kPart), {kOffsetsAround, kTable, rows, {1}}, 1),
            (Numbers{31, 42, 3, 4, 15, 26}));
}

TEST(MultiSlice, WorkersShareTheOffsetsOfAPart) {
  // 100 offsets, 17 of a worker, 5 of which name rows of the part: a quarter, rounded up.
  const LookUpShape part{ElementType::Float, 3, 2, 100, 3, 12};
  EXPECT_EQ(multiSliceVertex(part).cycles(models::gc200()),
            Cycles(6U * (33 + 5 * (23 + 2) + 12 * 8)));
  // Halves are dealt in pairs: 18 of a worker.
  EXPECT_EQ(multiSliceVertex({ElementType::Half, 3, 2, 100, 3, 12}).cycles(models::gc200()),
            Cycles(6U * (33 + 5 * (23 + 2) + 13 * 8)));
}

TEST(MultiUpdateAdd, WorkersShareTheRowsOfAPart) {
  // Each worker has one of 12 rows, and reads 100 offsets. Of 12 workers with 8.33 hits each on
  // average, nobody has more than 14, more likely than not.
  EXPECT_EQ(multiUpdateAddVertex({ElementType::Float, 3, 2, 100, 3, 12}).cycles(models::gc200()),
            Cycles(6U * (37 + 14 * 8 + 86 * 5)));
}

TEST(MultiSlice, TypesOfOtherPartsDiffer) {
  LookUpShape next = kPart;
  next.first_row = 6;
  EXPECT_FALSE(multiSliceVertex(kPart) == multiSliceVertex(next));
}

TEST(MultiSlice, LooksUpSomething) {
  EXPECT_THROW(multiSliceVertex({ElementType::Float, 3, 2, 0}), InternalError);
  EXPECT_THROW(multiUpdateAddVertex({ElementType::Float, 0, 2, 1}), InternalError);
}

}  // namespace
}  // namespace ipusim::workloads
