// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/program.h"

// Forward passes of square layers as eager PyTorch runs them, activations [batch, width] in FP32.
// What is compared: arXiv 2309.08946, section 4.1. Which kernels: HazyResearch/butterfly and
// HazyResearch/fly, read as the passes over activations that they make.

namespace ipusim::gpu {

struct LayerShape {
  std::uint64_t width;
  std::uint64_t batch;
  Precision precision = Precision::Fp32;
};

/// torch.nn.Linear.
Program linearLayer(const LayerShape& layer);

/// A butterfly of log2(width) stages, width a power of two. A stage is a broadcast product (reads
/// one activation, writes two) and a sum of pairs (reads two, writes one).
Program butterflyLayer(const LayerShape& layer);

/// Blocks on the diagonals of a flat butterfly, beside a low-rank pair.
struct PixelflyShape {
  LayerShape layer;
  std::uint64_t block;  ///< edge of a block
  std::uint64_t rank;
};

/// Blocks of width / 16 (at least 4) and rank width / 32: with a butterfly of full size the only
/// powers of two that give the 404,490 parameters at width 1024 in arXiv 2309.08946, Table 4.
PixelflyShape usualPixelfly(const LayerShape& layer);

/// Gathers the block's inputs, multiplies block by block, adds the low-rank product.
Program pixelflyLayer(const PixelflyShape& shape);

/// Blocks in a row of a pixelfly: log2 of the blocks a side, and one.
std::uint64_t pixelflyBlocksPerRow(const PixelflyShape& shape);

}  // namespace ipusim::gpu
