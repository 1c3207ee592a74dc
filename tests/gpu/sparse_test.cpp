// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "models/gpu/block_spmm.h"
#include "models/gpu/csr_spmm.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

TEST(CsrSpmm, AddsGatherAndCrossing) {
  const Breakdown time = csrSpmmTime(toyGpu(), {100, 100, 50, 1000});
  // 4 x 1000 x 50 bytes at half of 200 GB/s; 8 x 1000 + 4 x 101 + 2 x 4 x 5000 at 500 GB/s.
  EXPECT_NEAR(time.l2_seconds / kMicro, 2, kRounding);
  EXPECT_NEAR(time.dram_seconds / kMicro, 0.096808, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 3.096808, kRounding);
  EXPECT_EQ(time.bound, Bound::L2);
}

TEST(CsrSpmm, RefusesMoreNonzerosThanElements) {
  EXPECT_THROW(csrSpmmTime(toyGpu(), {10, 10, 1, 101}), InternalError);
  EXPECT_THROW(csrSpmmTime(toyGpu(), {0, 10, 1, 0}), InternalError);
}

TEST(BlockSpmm, PadsABlockToATile) {
  const Breakdown time = blockSpmmTime(toyGpu(), {10, 32, 100, Bytes(1000)});
  // 2 x 10 x 64 x 32 x 100 at 200 GFLOP/s.
  EXPECT_NEAR(time.compute_seconds / kMicro, 20.48, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 21.48, kRounding);
}

TEST(BlockSpmm, FollowsTheTileEfficiencyOfItsUnits) {
  Machine machine = toyGpu();
  machine.tf32.slope = 16;  // 1/e = 1 + 16 / 32 = 1.5
  const Breakdown time = blockSpmmTime(machine, {10, 64, 100, Bytes(1000), Precision::Tf32});
  EXPECT_NEAR(time.compute_seconds / kMicro, 1.5 * 4.096, kRounding);
}

TEST(BlockSpmm, WaitsForMemoryWhereItMovesMuch) {
  const Breakdown time = blockSpmmTime(toyGpu(), {1, 64, 1, Bytes(50'000'000)});
  EXPECT_NEAR(time.dram_seconds / kMicro, 100, kRounding);
  EXPECT_EQ(time.bound, Bound::Dram);
}

}  // namespace
}  // namespace ipusim::gpu
