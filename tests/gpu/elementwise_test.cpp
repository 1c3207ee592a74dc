// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/elementwise.h"

#include <gtest/gtest.h>

#include "models/gpu/gather.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

TEST(Elementwise, StaysInL2UpToItsShare) {
  // 0.8 MB of 1 MB at half of 200 GB/s.
  const Breakdown time =
      elementwiseTime(toyGpu(), {Bytes(500'000), Bytes(300'000), Bytes(800'000)});
  EXPECT_NEAR(time.l2_seconds / kMicro, 8, kRounding);
  EXPECT_DOUBLE_EQ(time.dram_seconds, 0);
  EXPECT_NEAR(time.seconds / kMicro, 9, kRounding);
}

TEST(Elementwise, GoesToDramBeyond) {
  const Breakdown time =
      elementwiseTime(toyGpu(), {Bytes(500'000), Bytes(300'000), Bytes(800'001)});
  EXPECT_DOUBLE_EQ(time.l2_seconds, 0);
  EXPECT_NEAR(time.dram_seconds / kMicro, 1.6, kRounding);
}

TEST(Elementwise, WaitsForManyFlops) {
  const Breakdown time =
      elementwiseTime(toyGpu(), {Bytes(8), Bytes(8), Bytes(16), Flops(1'000'000)});
  EXPECT_NEAR(time.compute_seconds / kMicro, 5, kRounding);
  EXPECT_EQ(time.bound, Bound::Compute);
}

TEST(Reduce, MovesWhatItReadsAndWrites) {
  const Breakdown time = reduceTime(toyGpu(), {Bytes(600'000), Bytes(200'000), Bytes(800'000)});
  EXPECT_NEAR(time.l2_seconds / kMicro, 8, kRounding);
}

TEST(Elementwise, ComputesAnAddressForEachElementOfABroadcast) {
  // 100,000 elements of 12 + 13 x 4 instructions, 256 lanes at 1 GHz.
  Elementwise kernel{Bytes(400'000), Bytes(400'000), Bytes(800'000)};
  kernel.addressed_elements = 100'000;
  kernel.addressed_sides = 4;
  EXPECT_NEAR(elementwiseTime(toyGpu(), kernel).compute_seconds / kMicro, 25, kRounding);
}

/// Micros for the blocks of 65,536 results of two values that are `stride` apart.
double turns(std::uint64_t stride) {
  const Bytes results(4ULL * 65'536);
  const Reduce kernel{2 * results, results, 3 * results, 2, stride};
  return reduceTime(toyGpu(), kernel).compute_seconds / kMicro;
}

TEST(Reduce, AlongAShortSideWaitsForTheTurnsOfItsBlocks) {
  // Two multiprocessors hold 4 blocks or 64 threads each, 1 us a block. Blocks of 4 threads and
  // results; of 32; of 64, of which one fits; of 256 results with 512 threads.
  EXPECT_NEAR(turns(2), 65'536 / 4 / 8.0, kRounding);
  EXPECT_NEAR(turns(8), 65'536 / 16 / 8.0, kRounding);
  EXPECT_NEAR(turns(32), 65'536 / 64 / 2.0, kRounding);
  EXPECT_NEAR(turns(1), 65'536 / 256 / 2.0, kRounding);
}

TEST(Reduce, TakesOneTurnAtLeast) {
  const Reduce kernel{Bytes(8), Bytes(4), Bytes(12), 2, 2};
  EXPECT_NEAR(reduceTime(toyGpu(), kernel).seconds / kMicro, 2, kRounding);
}

TEST(Gather, ReadsWholeSectors) {
  // 1000 rows of 4 bytes: 32 read, 4 written, an index of 8.
  const Breakdown time = gatherTime(toyGpu(), {1000, Bytes(4), Bytes(8), Bytes(40'000)});
  EXPECT_NEAR(time.l2_seconds / kMicro, 0.44, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 1.44, kRounding);
}

TEST(Gather, OfLongRowsMovesThemTwice) {
  const Breakdown time = gatherTime(toyGpu(), {1000, Bytes(640), Bytes(0), Bytes(1'280'000)});
  EXPECT_NEAR(time.dram_seconds / kMicro, 2.56, kRounding);
}

}  // namespace
}  // namespace ipusim::gpu
