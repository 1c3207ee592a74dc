// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/run/simulate.h"

namespace ipusim::run {
namespace {

/// A product of too many elements for eight tiles, with the places of all bytes.
RunResult tooLargeProduct(const char* size) {
  const auto config = ConfigReader::fromFile("configs/runs/matmul.toml",
                                             {{"machine", "{base = \"gc200\", tiles = 8}"},
                                              {"workload.m", size},
                                              {"workload.k", size},
                                              {"workload.n", size}});
  SimulateOptions options;
  options.detail = Detail::With;
  return simulate(prepare(config), Engine::ClosedForm, options);
}

bool livesAt(const PlacedBytes& block, std::uint32_t position) {
  return block.always_live ||
         std::any_of(block.live.begin(), block.live.end(), [position](const Life& life) {
           return life.first <= position && position <= life.last;
         });
}

TEST(OutOfMemory, NamesTheLargestThingOnTheTileWhenItIsFullest) {
  for (const char* const size : {"800", "1100"}) {
    const RunResult result = tooLargeProduct(size);
    ASSERT_TRUE(result.oom) << size;
    const OutOfMemory& oom = *result.oom;
    EXPECT_EQ(oom.step, result.steps.at(result.positions.at(oom.position)).name);
    const ProgramDetail& detail = *result.detail;
    Bytes largest;
    for (const PlacedBytes& block : detail.layouts.at(detail.layout_of_tile.at(oom.tile)).blocks) {
      if (livesAt(block, oom.position)) largest = std::max(largest, block.bytes);
    }
    EXPECT_EQ(oom.largest, largest);
    EXPECT_GT(largest, Bytes(0));
    EXPECT_EQ(oom.variable.substr(0, 7), "matmul/");
    EXPECT_EQ(oom.bytes_over,
              excess(result.tiles[oom.tile].including_gaps, result.machine.sram_per_tile));
  }
}

TEST(OutOfMemory, IsNothingWhereAllFits) {
  EXPECT_FALSE(tooLargeProduct("64").oom);
}

}  // namespace
}  // namespace ipusim::run
