// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gemm.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "models/gpu/batched_gemm.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

constexpr TileChoice kTile = {128, 128};

double computeMicros(const Machine& machine, const GemmShape& shape,
                     Precision precision = Precision::Fp32, const TileChoice& tile = kTile) {
  return tiledGemm(machine, shape, precision, tile).compute_seconds / kMicro;
}

TEST(TiledGemm, BreaksOneTileDown) {
  const Breakdown time = tiledGemm(toyGpu(), {128, 128, 800}, Precision::Fp32, kTile);
  // 2 x 128 x 128 x 800 at 100 GFLOP/s; 4 x 256 x 800 at the 100 GB/s of one multiprocessor; 4 x
  // 221,184 at 500 GB/s.
  EXPECT_NEAR(time.compute_seconds, 262.144e-6, kRounding * kMicro);
  EXPECT_NEAR(time.l2_seconds, 8.192e-6, kRounding * kMicro);
  EXPECT_NEAR(time.dram_seconds, 1.769472e-6, kRounding * kMicro);
  EXPECT_NEAR(time.seconds, 263.144e-6, kRounding * kMicro);
  EXPECT_EQ(time.bound, Bound::Compute);
}

TEST(TiledGemm, CountsBlocksInWholeWaves) {
  const Breakdown time = tiledGemm(toyGpu(), {257, 128, 800}, Precision::Fp32, kTile);
  EXPECT_EQ(time.tiling->blocks, 3U);
  EXPECT_EQ(time.tiling->waves, 2U);
  EXPECT_NEAR(time.compute_seconds / kMicro, 524.288, kRounding);
}

TEST(TiledGemm, TakesABatchAsMoreBlocks) {
  EXPECT_NEAR(computeMicros(toyGpu(), {128, 128, 800, 4}), 524.288, kRounding);
}

TEST(TiledGemm, SplitsKForOneMoreSum) {
  const Breakdown time = tiledGemm(toyGpu(), {128, 128, 800}, Precision::Fp32, {128, 128, 2});
  EXPECT_EQ(time.tiling->blocks, 2U);
  EXPECT_NEAR(time.compute_seconds / kMicro, 131.072, kRounding);
  EXPECT_NEAR(time.combine_seconds / kMicro, 2, kRounding);
  // 4 x (2 x 128 x 800 + 5 x 128 x 128) bytes at 500 GB/s.
  EXPECT_NEAR(time.dram_seconds / kMicro, 2.29376, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 134.072, kRounding);
}

TEST(TiledGemm, StepsThroughKInGrains) {
  // 8 steps of FP32, 32 of TF32 at ten times the rate.
  EXPECT_NEAR(computeMicros(toyGpu(), {128, 128, 1}), 2.62144, kRounding);
  EXPECT_NEAR(computeMicros(toyGpu(), {128, 128, 4}, Precision::Tf32), 1.048576, kRounding);
}

TEST(TiledGemm, LosesEfficiencyWithSmallTiles) {
  Machine machine = toyGpu();
  machine.fp32.slope = 32;  // 1/e = 1 + 32 (1/128 + 1/128) = 1.5
  EXPECT_NEAR(computeMicros(machine, {128, 128, 800}), 1.5 * 262.144, kRounding);
}

TEST(TiledGemm, FillsThePipeOnce) {
  Machine machine = toyGpu();
  machine.fp32.k_offset = 80;
  machine.fp32_sliced_k_offset = 800;
  EXPECT_NEAR(computeMicros(machine, {128, 128, 800}), 1.1 * 262.144, kRounding);
  const TileChoice sliced = {128, 128, 1, true};
  EXPECT_NEAR(computeMicros(machine, {128, 128, 800}, Precision::Fp32, sliced), 2 * 262.144,
              kRounding);
}

TEST(TiledGemm, IsLessEfficientInASingleWave) {
  Machine machine = toyGpu();
  machine.fp32_one_wave_efficiency = 0.8;
  EXPECT_NEAR(computeMicros(machine, {128, 128, 800}), 262.144 / 0.8, kRounding);
  EXPECT_NEAR(computeMicros(machine, {384, 128, 800}), 2 * 262.144, kRounding);
}

TEST(TiledGemm, HasHalfTheBytesInHalf) {
  const Breakdown time = tiledGemm(toyGpu(), {128, 128, 800}, Precision::Fp16, kTile);
  // 2 x 128 x 128 x 800 at 2 TFLOP/s; half of the bytes of FP32.
  EXPECT_NEAR(time.compute_seconds, 13.1072e-6, kRounding * kMicro);
  EXPECT_NEAR(time.l2_seconds, 4.096e-6, kRounding * kMicro);
  EXPECT_NEAR(time.dram_seconds, 0.884736e-6, kRounding * kMicro);
}

TEST(TiledGemm, SumsPartsOfASplitHalfProductInFp32) {
  const Breakdown time = tiledGemm(toyGpu(), {128, 128, 800}, Precision::Fp16, {128, 128, 2});
  // 2 x (2 x 128 x 800 + 128 x 128) + 4 x 4 x 128 x 128 bytes at 500 GB/s.
  EXPECT_NEAR(time.dram_seconds / kMicro, 1.409024, kRounding);
}

TEST(TiledGemm, TakesOperandsThatAreShorterThanItsMatrices) {
  GemmShape shape{128, 128, 800};
  shape.operand_bytes = Bytes(1000);
  // 1000 + 4 x 128 x 128 bytes at 500 GB/s.
  EXPECT_NEAR(tiledGemm(toyGpu(), shape, Precision::Fp32, kTile).dram_seconds / kMicro, 0.133072,
              kRounding);
}

TEST(TiledGemm, DrawsFromL2WithTheMultiprocessorsThatHaveABlock) {
  const auto micros = [](std::uint64_t rows) {
    return tiledGemm(toyGpu(), {rows, 128, 800}, Precision::Fp32, kTile).l2_seconds / kMicro;
  };
  EXPECT_NEAR(micros(128), 8.192, kRounding);
  EXPECT_NEAR(micros(256), 8.192, kRounding);
  EXPECT_NEAR(micros(384), 12.288, kRounding);
}

TEST(TiledGemm, WritesALargeResultAfterItsProducts) {
  Machine machine = toyGpu();
  machine.exposed_store_share = 0.5;
  // L2 holds 800,000 bytes, and the result has 4 x 512 x 512: half of it at 500 GB/s.
  const Breakdown time = tiledGemm(machine, {512, 512, 800}, Precision::Fp32, kTile);
  EXPECT_NEAR(time.combine_seconds / kMicro, 1.048576, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 8 * 262.144 + 1.048576 + 1, kRounding);
  EXPECT_DOUBLE_EQ(tiledGemm(machine, {256, 256, 800}, Precision::Fp32, kTile).combine_seconds, 0);
}

TEST(AlignmentFactor, OfHalvesCountsTheirBytes) {
  EXPECT_DOUBLE_EQ(alignmentFactor(toyGpu(), {1, 128, 64}, Precision::Fp16), 1);
  EXPECT_DOUBLE_EQ(alignmentFactor(toyGpu(), {1, 132, 64}, Precision::Fp16), 2);
  EXPECT_DOUBLE_EQ(alignmentFactor(toyGpu(), {1, 130, 64}, Precision::Fp16), 4);
  EXPECT_DOUBLE_EQ(alignmentFactor(toyGpu(), {1, 129, 64}, Precision::Fp16), 4);
}

TEST(AlignmentFactor, IsOfTheNarrowestLoad) {
  EXPECT_DOUBLE_EQ(alignmentFactor(toyGpu(), {1, 128, 64}), 1);
  EXPECT_DOUBLE_EQ(alignmentFactor(toyGpu(), {1, 130, 64}), 2);
  EXPECT_DOUBLE_EQ(alignmentFactor(toyGpu(), {1, 128, 63}), 4);
}

TEST(AlignmentFactor, SlowsTensorCoresOnly) {
  const double fp32 = computeMicros(toyGpu(), {128, 127, 800});
  EXPECT_NEAR(fp32, 262.144, kRounding);
  EXPECT_NEAR(computeMicros(toyGpu(), {128, 127, 800}, Precision::Tf32), 4 * 26.2144, kRounding);
}

TEST(GemmTime, TakesTheShortestOfItsTiles) {
  // One wave of two blocks of 64 x 64 beats one of 128 x 64 and the rest.
  const Breakdown time = gemmTime(toyGpu(), {{128, 64, 80}});
  EXPECT_EQ(time.tiling->rows, 64U);
  EXPECT_EQ(time.tiling->columns, 64U);
  EXPECT_NEAR(time.compute_seconds / kMicro, 6.5536, kRounding);
}

TEST(GemmTime, SplitsALongKOfFewTiles) {
  const Breakdown time = gemmTime(toyGpu(), {{128, 128, 65536}, Precision::Tf32});
  EXPECT_GT(time.tiling->split * 128 * 128 / (time.tiling->rows * time.tiling->columns), 1U);
  EXPECT_EQ(gemmTime(toyGpu(), {{64, 64, 511}, Precision::Tf32}).tiling->split, 1U);
}

TEST(GemmTime, SplitsNoProductWithLongSides) {
  Machine machine = toyGpu();
  const Gemm gemm{{64, 64, 2048}, Precision::Tf32};
  EXPECT_EQ(gemmTime(machine, gemm).tiling->split, 2U);
  machine.split_k_least_ratio = 32;
  EXPECT_EQ(gemmTime(machine, gemm).tiling->split, 2U);
  machine.split_k_least_ratio = 33;
  EXPECT_EQ(gemmTime(machine, gemm).tiling->split, 1U);
}

TEST(GemmTime, OfAVectorReadsTheMatrixOnce) {
  // 4 x (800 + 800 x 1000 + 1000) bytes at 500 GB/s, and a launch.
  const Breakdown time = gemmTime(toyGpu(), {{1, 1000, 800}});
  EXPECT_NEAR(time.dram_seconds / kMicro, 6.4144, kRounding);
  EXPECT_NEAR(time.compute_seconds / kMicro, 8, kRounding);
  EXPECT_NEAR(time.seconds / kMicro, 9, kRounding);
  EXPECT_DOUBLE_EQ(time.seconds, gemmTime(toyGpu(), {{1000, 1, 800}}).seconds);
}

TEST(GemmTime, OfALinearLayerHasBothLayoutsKernelsWhileSmall) {
  for (const std::uint64_t n : {512U, 4096U}) {
    const GemmShape shape{n, n, n};
    const double row_major = gemmTime(a30(), {shape, Precision::Fp32, Layout::RowMajor}).seconds;
    const double transposed =
        gemmTime(a30(), {shape, Precision::Fp32, Layout::TransposedWeights}).seconds;
    const double linear = gemmTime(a30(), {shape, Precision::Fp32, Layout::Linear}).seconds;
    EXPECT_DOUBLE_EQ(linear, n > 1024 ? row_major : std::min(row_major, transposed));
  }
}

TEST(GemmTime, RefusesEmptyProductsAndBatches) {
  EXPECT_THROW(gemmTime(toyGpu(), {{0, 1, 1}}), InternalError);
  EXPECT_THROW(gemmTime(toyGpu(), {{1, 1, 1, 2}}), InternalError);
}

TEST(BatchedGemmTime, PadsSmallMatricesToTheLargeTile) {
  const Breakdown time = batchedGemmTime(toyGpu(), {{16, 16, 800, 2}});
  EXPECT_EQ(time.tiling->rows, 128U);
  EXPECT_NEAR(time.compute_seconds / kMicro, 262.144, kRounding);
}

TEST(BatchedGemmTime, TakesTheBestTileOfTensorCores) {
  const Breakdown time = batchedGemmTime(toyGpu(), {{64, 64, 800, 2}, Precision::Tf32});
  EXPECT_EQ(time.tiling->rows, 64U);
  EXPECT_NEAR(time.compute_seconds / kMicro, 6.5536, kRounding);
}

}  // namespace
}  // namespace ipusim::gpu
