// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/mapping_index.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace ipusim::workloads {

namespace {

constexpr VariableId kDealt{0};

/// `elements` floats, `grain` to a tile, over `tiles` tiles and round again.
Variable dealt(std::uint64_t elements, std::uint64_t grain, std::uint32_t tiles) {
  Variable variable{"dealt", models::ElementType::Float, elements, Lifetime::Temporary, {}};
  for (std::uint64_t begin = 0; begin < elements; begin += grain) {
    variable.mapping.set(begin, std::min(begin + grain, elements),
                         TileId(static_cast<std::uint32_t>(begin / grain % tiles)));
  }
  return variable;
}

std::vector<CutMove> cut(const Section& section, const Variable& variable) {
  std::vector<CutMove> parts;
  for (const Move& move : packingMoves({section}, 0)) {
    cutBySide(move, Side::From, MappingIndex(variable), parts);
  }
  return parts;
}

}  // namespace

TEST(MappingIndex, CountsWhatATileHoldsBeforeAnInterval) {
  const MappingIndex index(dealt(40, 10, 2));
  EXPECT_EQ(index.at(25).tile, TileId(0));
  EXPECT_EQ(index.at(25).local, 10U);
}

TEST(MappingIndex, RefusesAVariableThatIsNotAllMapped) {
  Variable variable = dealt(40, 10, 2);
  variable.elements = 41;
  EXPECT_THROW((void)MappingIndex(variable), InternalError);
}

TEST(CutBySide, LeavesWhatLiesInOneIntervalWhole) {
  const auto parts = cut({kDealt, 11, {{4, 2}}}, dealt(40, 10, 4));
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].tile, TileId(1));
  EXPECT_EQ(parts[0].move.from_offset, 1U);
}

TEST(CutBySide, TakesWholeRowsOfAnInterval) {
  // Rows of 10, two rows a tile; a column of 6 elements is cut in three.
  const auto parts = cut({kDealt, 3, {{6, 10}}}, dealt(60, 20, 3));
  ASSERT_EQ(parts.size(), 3U);
  for (const CutMove& part : parts) EXPECT_EQ(part.move.dims[0].count, 2U);
  EXPECT_EQ(parts[2].move.to_offset, 4U);
}

TEST(CutBySide, NumberOfPartsDoesNotGrowWithElements) {
  const auto few = cut({kDealt, 0, {{64, 2}}}, dealt(128, 32, 4));
  const auto many = cut({kDealt, 0, {{1U << 20U, 2}}}, dealt(1U << 21U, 1U << 19U, 4));
  EXPECT_EQ(few.size(), many.size());
}

TEST(CutBySide, CutsALevelInsideWhereOneStepPassesAnInterval) {
  // Steps of 15 elements over intervals of 10: 0-9 and 10-14, 15-19 and 20-29.
  const auto parts = cut({kDealt, 0, {{2, 15}, {15, 1}}}, dealt(30, 10, 3));
  std::uint64_t elements = 0;
  for (const CutMove& part : parts)
    elements += part.move.dims.empty() ? 1 : part.move.dims[0].count;
  EXPECT_EQ(parts.size(), 4U);
  EXPECT_EQ(elements, 30U);
}

}  // namespace ipusim::workloads
