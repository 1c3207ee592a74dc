// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/torch_layers.h"

#include <gtest/gtest.h>

#include "ipusim/error.h"
#include "tests/gpu/gpus.h"

namespace ipusim::gpu {
namespace {

TEST(LinearLayer, HoldsActivationsAndWeights) {
  const Program program = linearLayer({1024, 50});
  EXPECT_EQ(program.tensors, Bytes(4ULL * (2 * 1024 * 50 + 1024 * 1024)));
  ASSERT_EQ(program.operators.size(), 1U);
  const auto& gemm = std::get<Gemm>(program.operators.front().kernels.front());
  EXPECT_EQ(gemm.shape.m, 50U);
  EXPECT_EQ(gemm.shape.n, 1024U);
  EXPECT_EQ(gemm.shape.k, 1024U);
}

TEST(ButterflyLayer, HasTwoKernelsAStage) {
  const Program program = butterflyLayer({1024, 50});
  EXPECT_EQ(program.tensors, Bytes(16ULL * 1024 * 50));
  ASSERT_EQ(program.operators.size(), 1U);
  EXPECT_EQ(program.operators.front().times, 10U);
  EXPECT_EQ(program.operators.front().kernels.size(), 2U);
}

TEST(ButterflyLayer, IsOfAPowerOfTwo) {
  EXPECT_THROW(butterflyLayer({1000, 50}), InternalError);
  EXPECT_THROW(butterflyLayer({1, 50}), InternalError);
}

TEST(Pixelfly, UsuallyHasThePublishedParametersAtWidth1024) {
  const PixelflyShape shape = usualPixelfly({1024, 50});
  EXPECT_EQ(shape.block, 64U);
  EXPECT_EQ(shape.rank, 32U);
  EXPECT_EQ(pixelflyBlocksPerRow(shape), 5U);
  // Blocks, low rank, bias, and the ten outputs of the network: arXiv 2309.08946, Table 4.
  const std::uint64_t blocks = 5ULL * 16 * 64 * 64;
  EXPECT_EQ(blocks + 2ULL * 1024 * shape.rank + 1024 + 10ULL * 1024 + 10, 404'490U);
}

TEST(PixelflyLayer, HoldsAGatheredInputForEachBlockOfARow) {
  const Program program = pixelflyLayer(usualPixelfly({1024, 50}));
  EXPECT_EQ(program.tensors, Bytes(4ULL * (1024 * 50 * (5 + 3) + 1024 * 64 * 5)));
  const auto& blocks = std::get<BlockSpmm>(program.operators.front().kernels[1]);
  EXPECT_EQ(blocks.blocks, 80U);
  EXPECT_EQ(blocks.edge, 64U);
}

TEST(Pixelfly, OfASmallerButterflyHasWiderDiagonals) {
  // 64 blocks of 16 per side, a butterfly of 16: five entries per row, each of four blocks.
  const PixelflyShape shape{{1024, 50}, 16, 32, 16};
  EXPECT_EQ(pixelflyBlocksPerRow(shape), 20U);
  EXPECT_EQ(pixelflyBlocksPerRow({{1024, 50}, 64, 32}), 5U);
  EXPECT_THROW(pixelflyLayer({{1024, 50}, 64, 32, 32}), InternalError);
}

TEST(PixelflyLayer, MayDoWithoutItsPair) {
  EXPECT_EQ(pixelflyLayer({{1024, 50}, 64, 0}).operators.front().kernels.size(), 2U);
}

TEST(FastfoodLayer, IsSixPasses) {
  const Program program = fastfoodLayer({1024, 50});
  EXPECT_EQ(program.operators.size(), 6U);
  const auto& hadamard = std::get<Elementwise>(program.operators[1].kernels.front());
  EXPECT_EQ(hadamard.flops, Flops(10ULL * 1024 * 50));
}

TEST(CirculantLayer, IsThreeTransformsAndAProduct) {
  const Program program = circulantLayer({1024, 50});
  EXPECT_EQ(program.operators.size(), 4U);
  const auto& transform = std::get<Elementwise>(program.operators[0].kernels.front());
  EXPECT_EQ(transform.flops, Flops(25ULL * 1024 * 50));
  const Program other = circulantLayer({1000, 50});
  const auto& longer = std::get<Elementwise>(other.operators[0].kernels.front());
  EXPECT_EQ(longer.flops, Flops(25ULL * 1000 * 50));
}

TEST(LowRankLayer, IsTwoThinProducts) {
  const Program program = lowRankLayer({1024, 50}, 3);
  ASSERT_EQ(program.operators.size(), 2U);
  EXPECT_EQ(std::get<Gemm>(program.operators[0].kernels.front()).shape.n, 3U);
  EXPECT_EQ(std::get<Gemm>(program.operators[1].kernels.front()).shape.k, 3U);
  EXPECT_EQ(program.tensors, Bytes(4ULL * (2 * 1024 * 50 + 3 * 50 + 2 * 3 * 1024)));
}

TEST(PixelflyLayer, IsOfWholeBlocks) {
  EXPECT_NO_THROW(pixelflyLayer({{96, 50}, 8, 2}));
  EXPECT_THROW(pixelflyLayer({{1024, 50}, 48, 32}), InternalError);
  EXPECT_THROW(pixelflyLayer({{32, 50}, 64, 32}), InternalError);
}

/// Largest power of two whose square layer fits.
template <typename Layer>
int largestWidth(const Layer& layer) {
  int exponent = 6;
  while (capacityFor(a30(), layer(LayerShape{2ULL << exponent, 2ULL << exponent}).tensors).fits()) {
    ++exponent;
  }
  return exponent;
}

TEST(Layers, MeetTheMemoryLimitOfAnA30) {
  EXPECT_EQ(largestWidth(linearLayer), 15);
  EXPECT_EQ(largestWidth(butterflyLayer), 15);
  EXPECT_EQ(
      largestWidth([](const LayerShape& layer) { return pixelflyLayer(usualPixelfly(layer)); }),
      14);
}

}  // namespace
}  // namespace ipusim::gpu
