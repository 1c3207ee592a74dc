// SPDX-License-Identifier: Apache-2.0
#include "tests/chip/difference.h"

#include <gtest/gtest.h>

#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/engines/closed_form/closed_form.h"
#include "tests/chip/tile_builder.h"

namespace ipusim::models {
namespace {

using namespace ipusim::literals;

ChipPrograms threeTiles() {
  const auto tile = [](std::uint32_t vertices) {
    return TileBuilder().repeat(1000).compute(0, {workers(vertices, 10)}).sync(1).exchange(2).end();
  };
  const Messages ring = {
      {0, {1}, 5_cycles, 20_cycles}, {1, {2}, 5_cycles, 20_cycles}, {2, {0}, 5_cycles, 20_cycles}};
  return chipOf(plainTiming(3), {tile(7), tile(12), tile(13)}, {ring});
}

/// The difference between the chip and the closed form, when `change` is applied to the programs of
/// the latter.
template <typename Change>
std::string foundAfter(Change change) {
  ChipPrograms changed = threeTiles();
  change(changed);
  return difference(simulateChip(threeTiles()), closedForm(changed));
}

TEST(Difference, IsNoneBetweenTheEngines) {
  EXPECT_EQ(foundAfter([](ChipPrograms& /*same*/) {}), "");
}

TEST(Difference, NoticesAVertexOneIssueSlotLonger) {
  // Two rounds of 60 or of 66 cycles; tile 0 waits as much less for tile 2.
  EXPECT_EQ(foundAfter([](ChipPrograms& chip) { chip.tiles[0].vertices[0].cycles += 1_cycles; }),
            "tile 0, step 0: 120000 and 132000");
}

TEST(Difference, NoticesOneCycleAtTheSyncController) {
  EXPECT_EQ(foundAfter([](ChipPrograms& chip) { chip.timing.sync_base += 1_cycles; }),
            "tile 0, step 1: 60000 and 61000");
}

TEST(Difference, NoticesOneCycleOfDistance) {
  EXPECT_NE(foundAfter([](ChipPrograms& chip) { chip.timing.sync_distance[1] += 1_cycles; }), "");
}

TEST(Difference, NoticesAMessageOneCycleLonger) {
  // Both ends are held one cycle longer. Tile 2 is late too, and tile 0 waits for it from the
  // second iteration on.
  EXPECT_EQ(foundAfter([](ChipPrograms& chip) { chip.transmissions[1].length += 1_cycles; }),
            "tile 0, step 1: 60000 and 60999");
}

TEST(Difference, NoticesOneIterationMore) {
  EXPECT_EQ(foundAfter([](ChipPrograms& chip) {
              for (TileProgram& tile : chip.tiles) ++tile.ops.edit()[0].iterations;
            }),
            "tile 0, step 0: 120000 and 120120");
}

TEST(Difference, NoticesAStepThatEndsLater) {
  ChipResult result = closedForm(threeTiles());
  result.spans[1].end += 1_cycles;
  const std::uint64_t end = result.spans[1].end.value();
  EXPECT_EQ(difference(simulateChip(threeTiles()), result),
            "step 1, end: " + std::to_string(end - 1) + " and " + std::to_string(end));
}

TEST(Difference, NoticesThatLessWasSimulated) {
  ChipResult result = closedForm(threeTiles());
  --result.tile_steps;
  EXPECT_EQ(difference(simulateChip(threeTiles()), result), "tile steps: 18 and 17");
  EXPECT_EQ(differenceInTime(simulateChip(threeTiles()), result), "");
}

}  // namespace
}  // namespace ipusim::models
