// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/thread_gemm.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

constexpr GemmShape kShape = {32, 32, 10};  // 4 blocks of 16 x 16, 2 waves: 16 warps each

TEST(ThreadGemm, LoadsBothOperandsForAMultiplyAdd) {
  const Breakdown time = threadGemmTime(toyGpu(), {kShape, Staging::None});
  // 16 warps x 10 steps x 2 loads x 3 cycles.
  EXPECT_NEAR(time.load_pipe_seconds / kMicro, 0.96, kRounding);
  EXPECT_NEAR(time.compute_seconds / kMicro, 20'480 / 200e9 / kMicro, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 1.96, kRounding);
  EXPECT_EQ(time.tiling->waves, 2U);
}

TEST(ThreadGemm, StagedLoadsGlobalMemoryOnceATile) {
  const Breakdown time = threadGemmTime(toyGpu(), {kShape, Staging::SharedMemory});
  // 16 warps x 10 steps x (2 + (6 + 2) / 16) cycles.
  EXPECT_NEAR(time.load_pipe_seconds / kMicro, 0.4, kRounding);
}

TEST(ThreadGemm, WaitsForDramWhereKIsShort) {
  Machine machine = toyGpu();
  machine.pipe.global_load_cycles = 0.01;
  machine.fp32_flops_per_cycle = 1000;
  const Breakdown time = threadGemmTime(machine, {{32, 32, 1}});
  EXPECT_NEAR(time.dram_seconds, 4.0 * 1088 / 500e9, kRounding * kMicro);
  EXPECT_NEAR(time.device_seconds - time.launch_seconds, time.dram_seconds, kRounding * kMicro);
}

TEST(ThreadGemm, RefusesBlocksTheMachineCannotHold) {
  EXPECT_THROW(threadGemmTime(toyGpu(), {kShape, Staging::None, 33}), InternalError);
  EXPECT_THROW(threadGemmTime(toyGpu(), {kShape, Staging::None, 0}), InternalError);
  EXPECT_THROW(threadGemmTime(toyGpu(), {kShape, Staging::SharedMemory, 32}), InternalError);
  EXPECT_NO_THROW(threadGemmTime(toyGpu(), {kShape, Staging::None, 32}));
}

}  // namespace
}  // namespace ipusim::gpu
