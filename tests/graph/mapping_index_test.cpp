// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/mapping_index.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/graph/section_of.h"

namespace ipusim::workloads {

namespace {

/// `elements` floats in grains of `grain`, dealt to `tiles` tiles in turn.
Variable dealt(std::uint64_t elements, std::uint64_t grain, std::uint32_t tiles) {
  Variable variable{"dealt", ElementType::Float, elements, Lifetime::Temporary, {}};
  for (std::uint64_t begin = 0; begin < elements; begin += grain) {
    variable.mapping.set(begin, std::min(begin + grain, elements),
                         TileId(static_cast<std::uint32_t>(begin / grain % tiles)));
  }
  return variable;
}

using Parts = std::vector<TilePart<PackedElements>>;

Parts cut(const Section& section, const Variable& variable) {
  return cut(packed({section}).front().walk, MappingIndex(variable));
}

}  // namespace

TEST(MappingIndex, CountsWhatATileHoldsBeforeAnInterval) {
  const Variable variable = dealt(40, 10, 2);
  const MappingIndex index(variable);
  EXPECT_EQ(index.at(25).tile, TileId(0));
  EXPECT_EQ(index.at(25).local, 10U);
}

TEST(MappingIndex, RefusesAVariableThatIsNotAllMapped) {
  Variable variable = dealt(40, 10, 2);
  variable.elements = 41;
  EXPECT_THROW((void)MappingIndex(variable), GraphError);
}

TEST(Cut, LeavesWhatLiesInOneIntervalWhole) {
  const auto parts = cut(sectionOf(11, {{4, 2}}), dealt(40, 10, 4));
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].tile, TileId(1));
  EXPECT_EQ(parts[0].begin, VariableElements(11));
  EXPECT_EQ(parts[0].walk.begin.from, ShareElements(1));
}

TEST(Cut, TakesWholeRowsOfAnInterval) {
  // Rows of 10, two rows per tile; a column of 6 elements is cut in three.
  const auto parts = cut(sectionOf(3, {{6, 10}}), dealt(60, 20, 3));
  ASSERT_EQ(parts.size(), 3U);
  for (const auto& part : parts) EXPECT_EQ(part.walk.levels[0].count, 2U);
  EXPECT_EQ(parts[2].walk.begin.to, PackedElements(4));
}

TEST(Cut, NumberOfPartsDoesNotGrowWithElements) {
  const auto few = cut(sectionOf(0, {{64, 2}}), dealt(128, 32, 4));
  const auto many = cut(sectionOf(0, {{1U << 20U, 2}}), dealt(1U << 21U, 1U << 19U, 4));
  EXPECT_EQ(few.size(), many.size());
}

TEST(Cut, CutsALevelInsideWhereOneStepPassesAnInterval) {
  // Steps of 15 elements over intervals of 10: 0-9 and 10-14, 15-19 and 20-29.
  const auto parts = cut(sectionOf(0, {{2, 15}, {15, 1}}), dealt(30, 10, 3));
  std::uint64_t elements = 0;
  for (const auto& part : parts) elements += part.walk.elements();
  EXPECT_EQ(parts.size(), 4U);
  EXPECT_EQ(elements, 30U);
}

TEST(Packed, PutsTheSectionsOfAViewOneAfterTheOther) {
  const auto sections = packed({sectionOf(3, {{2, 10}, {4, 1}}), sectionOf(50, {{5, 2}})});
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(toEnd(sections[0].walk),
            (Walk<PackedElements>{{}, {{2, PackedElements(4)}, {4, PackedElements(1)}}}));
  EXPECT_EQ(toEnd(sections[1].walk),
            (Walk<PackedElements>{PackedElements(8), {{5, PackedElements(1)}}}));
  EXPECT_EQ(fromEnd(sections[1].walk), sectionOf(50, {{5, 2}}).walk);
}

}  // namespace ipusim::workloads
