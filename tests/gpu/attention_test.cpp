// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/attention.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

TEST(Attention, AddsProductsAndScores) {
  const Attention attention{2, 128, 1000, 128};  // a block for each multiprocessor
  EXPECT_EQ(attentionFlops(attention), 4. * 2 * 128 * 1000 * 128);
  const Breakdown time = attentionTime(toyGpu(), attention);
  // Two products of 2 x 128 x 1000 x 128 at 2,000 a cycle; 128,000 exponentials at 16, and three
  // operations for each at 50 lanes.
  EXPECT_NEAR(time.compute_seconds / kMicro, 2 * 16.384 + 8 + 7.68, kRounding);
  // Each block reads K and V, 4 x 1000 x 128 bytes, at 200 GB/s.
  EXPECT_NEAR(time.l2_seconds / kMicro, 5.12, kRounding);
  EXPECT_NEAR(time.dram_seconds / kMicro, 2 * (512'000 + 65'536) / 500e9 / kMicro, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 49.448, kRounding);
}

TEST(Attention, TakesWholeWavesOfBlocks) {
  const double one = attentionTime(toyGpu(), {2, 128, 1000, 128}).compute_seconds;
  EXPECT_DOUBLE_EQ(attentionTime(toyGpu(), {2, 129, 1000, 128}).compute_seconds, 2 * one);
  EXPECT_DOUBLE_EQ(attentionTime(toyGpu(), {1, 1, 1000, 128}).compute_seconds, one);
}

TEST(Attention, FollowsTheHalfLawOfBothTiles) {
  Machine machine = toyGpu();
  machine.half.slope = 64;  // 1/e is 2.5 on 128 x 64 and 2 on 128 x 128
  const double scores = 8 + 7.68;
  EXPECT_NEAR(attentionTime(machine, {2, 128, 1000, 128}).compute_seconds / kMicro,
              16.384 * (2.5 + 2) + scores, kRounding);
  EXPECT_NEAR(attentionTime(machine, {2, 128, 1000, 64}).compute_seconds / kMicro,
              8.192 * (2 + 2.5) + scores, kRounding);
}

TEST(Attention, RefusesAnExtentOfZero) {
  EXPECT_THROW(attentionTime(toyGpu(), {0, 1, 1, 1}), InternalError);
}

}  // namespace
}  // namespace ipusim::gpu
