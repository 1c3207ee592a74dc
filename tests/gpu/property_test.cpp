// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "models/gpu/kernel.h"
#include "models/gpu/torch_layers.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

constexpr int kShapes = 2000;
constexpr std::uint64_t kSeed = 20230908;

/// Extents from 1 to 16,384, even over their logarithms.
class RandomShapes {
 public:
  GemmShape next() { return {extent(), extent(), extent()}; }

 private:
  std::uint64_t extent() {
    const std::uint64_t power = std::uint64_t{1} << (random_() % 14);
    return power + random_() % power;
  }
  std::mt19937_64 random_{kSeed};
};

std::string text(const GemmShape& shape) {
  return fmt::format("{} x {} x {}", shape.m, shape.n, shape.k);
}

struct Kernels {
  Precision precision;
  std::uint64_t k_grain;  ///< steps of k the kernel takes at once
};

class TiledProducts : public testing::TestWithParam<Kernels> {
 protected:
  /// With the kernel of `tile` held fixed, one more whole tile in any direction takes no less time.
  static void expectGrowth(const GemmShape& shape, const TileChoice& tile) {
    const Precision precision = GetParam().precision;
    const double before = tiledGemm(a30(), shape, precision, tile).seconds;
    const std::array<GemmShape, 4> larger = {
        {{shape.m + tile.rows, shape.n, shape.k},
         {shape.m, shape.n + tile.columns, shape.k},
         {shape.m, shape.n, shape.k + GetParam().k_grain * tile.split},
         {shape.m, shape.n, shape.k, 2}}};
    for (const GemmShape& other : larger) {
      EXPECT_GE(tiledGemm(a30(), other, precision, tile).seconds, before)
          << text(shape) << " to " << text(other) << " by " << tile.rows << " x " << tile.columns;
    }
  }
};

TEST_P(TiledProducts, NeverGetFasterByAWholeTileMore) {
  RandomShapes shapes;
  for (int i = 0; i < kShapes; ++i) {
    const GemmShape shape = shapes.next();
    for (const Layout layout : {Layout::RowMajor, Layout::TransposedWeights}) {
      for (TileChoice tile : tilesOf(GetParam().precision, layout)) {
        tile.split = 1 + static_cast<std::uint64_t>(i % 4);
        expectGrowth(shape, tile);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, TiledProducts,
                         testing::Values(Kernels{Precision::Fp32, 8},
                                         Kernels{Precision::Tf32, 32}));

/// No kernel is faster: its FLOPs at the peak, and its operands once at the DRAM's data sheet rate.
double rooflineSeconds(const GemmShape& shape, double peak) {
  const auto m = static_cast<double>(shape.m);
  const auto n = static_cast<double>(shape.n);
  const auto k = static_cast<double>(shape.k);
  const double bytes = 4 * static_cast<double>(shape.batch) * (m * k + k * n + m * n);
  return std::max(flopsOf(shape) / peak, bytes / a30().memory.dram_bytes_per_second);
}

TEST(Roofline, IsNeverBeatenByTheLibrary) {
  RandomShapes shapes;
  for (int i = 0; i < kShapes; ++i) {
    GemmShape shape = shapes.next();
    const double fp32 = rooflineSeconds(shape, a30().fp32Peak());
    const double tf32 = rooflineSeconds(shape, a30().tf32Peak());
    EXPECT_GE(gemmTime(a30(), {shape, Precision::Fp32, Layout::Linear}).seconds, fp32)
        << text(shape);
    EXPECT_GE(gemmTime(a30(), {shape, Precision::Tf32}).seconds, tf32) << text(shape);
    shape.batch = 1 + static_cast<std::uint64_t>(i % 100);
    EXPECT_GE(batchedGemmTime(a30(), {shape}).seconds, rooflineSeconds(shape, a30().fp32Peak()));
    EXPECT_GE(batchedGemmTime(a30(), {shape, Precision::Tf32}).seconds,
              rooflineSeconds(shape, a30().tf32Peak()));
  }
}

TEST(Roofline, IsNeverBeatenByHandWrittenKernels) {
  RandomShapes shapes;
  for (int i = 0; i < kShapes; ++i) {
    const GemmShape shape = shapes.next();
    const double least = rooflineSeconds(shape, a30().fp32Peak());
    EXPECT_GE(threadGemmTime(a30(), {shape, Staging::None}).seconds, least) << text(shape);
    EXPECT_GE(threadGemmTime(a30(), {shape, Staging::SharedMemory}).seconds, least) << text(shape);
  }
}

TEST(Roofline, IsNeverBeatenBySparseProducts) {
  RandomShapes shapes;
  for (int i = 0; i < kShapes; ++i) {
    const GemmShape shape = shapes.next();
    const std::uint64_t nonzeros = shape.m * shape.k / (1 + static_cast<std::uint64_t>(i % 100));
    const double flops = 2 * static_cast<double>(nonzeros) * static_cast<double>(shape.n);
    const double least = flops / a30().fp32Peak();
    EXPECT_GE(csrSpmmTime(a30(), {shape.m, shape.k, shape.n, nonzeros}).seconds, least);
    const BlockSpmm blocks{shape.m, shape.k, shape.n, Bytes(4)};
    const double work =
        2 * static_cast<double>(shape.m * shape.k) * static_cast<double>(shape.k * shape.n);
    EXPECT_GE(blockSpmmTime(a30(), blocks).seconds, work / a30().fp32Peak());
  }
}

/// A program beyond the memory has no time, and the result has both sides of the comparison.
TEST(Memory, IsComparedWithWhatTensorsNeed) {
  RandomShapes shapes;
  for (int i = 0; i < kShapes; ++i) {
    const GemmShape shape = shapes.next();
    const LayerShape layer{16 * shape.m, 4 * shape.n};
    const Program program = linearLayer(layer);
    const ProgramTime time = programTime(a30(), program, Host::None);
    EXPECT_EQ(time.memory.required,
              Bytes(4 * (2 * layer.width * layer.batch + layer.width * layer.width)));
    EXPECT_EQ(time.memory.available, Bytes(24'223'615'549));
    EXPECT_EQ(time.total.has_value(), time.memory.required <= time.memory.available);
  }
}

TEST(Breakdowns, HaveNoPartLongerThanTheWhole) {
  RandomShapes shapes;
  for (int i = 0; i < kShapes; ++i) {
    const Breakdown time = gemmTime(a30(), {shapes.next(), Precision::Tf32});
    const double longest = std::max({time.compute_seconds, time.l2_seconds, time.dram_seconds});
    EXPECT_DOUBLE_EQ(time.seconds, longest + time.launch_seconds + time.combine_seconds);
  }
}

}  // namespace
}  // namespace ipusim::gpu
