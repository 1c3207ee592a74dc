// SPDX-License-Identifier: Apache-2.0
#include "ipusim/activity.h"

#include <gtest/gtest.h>

#include <limits>

namespace ipusim {
namespace {

/// Sixteen counts that all differ.
Activity counted() {
  Activity activity;
  activity.half_macs = 1;
  activity.float_macs = 2;
  activity.other_flops = Flops(3);
  activity.loaded_bytes = Bytes(4);
  activity.stored_bytes = Bytes(5);
  activity.bundles = 6;
  activity.sent_words = 7;
  activity.received_words = 8;
  activity.column_word_rows = 9;
  activity.spine_words = 10;
  activity.tile_syncs = 11;
  activity.link_bytes = Bytes(12);
  activity.host_bytes = Bytes(13);
  activity.streaming_bytes = Bytes(14);
  activity.busy_tile_cycles = Cycles(15);
  activity.tile_cycles = Cycles(16);
  return activity;
}

TEST(Activity, AddsEachCountToTheCountOfItsName) {
  Activity twice = counted();
  twice += counted();
  EXPECT_EQ(twice, counted() * 2);
  EXPECT_EQ(twice.other_flops, Flops(6));
  EXPECT_EQ(twice.bundles, 12);
  EXPECT_EQ(twice.tile_cycles, Cycles(32));
}

TEST(Activity, DiffersWhereOneCountDiffers) {
  Activity other = counted();
  other.column_word_rows += 1;
  EXPECT_NE(other, counted());
}

TEST(Activity, CountsAMultiplyAddAsTwoOperations) {
  EXPECT_EQ(counted().flops(), Flops(2 * (1 + 2) + 3));
}

TEST(Activity, StaysAtTheLargestNumberBeyond64Bits) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  Activity most;
  most.spine_words = kMost - 9;
  most.tile_cycles = Cycles(kMost);
  most += counted();
  EXPECT_EQ(most.spine_words, kMost);
  EXPECT_EQ((most * 3).tile_cycles, Cycles(kMost));
  EXPECT_EQ(most.half_macs, 1);
}

}  // namespace
}  // namespace ipusim
