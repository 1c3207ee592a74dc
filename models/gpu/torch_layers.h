// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/program.h"

// Forward passes of square layers as eager PyTorch runs them, activations [batch, width] in FP32.
// What is compared: arXiv 2309.08946, section 4.1. Which kernels: HazyResearch/butterfly,
// HazyResearch/fly and HazyResearch/structured-nets, read as the passes over activations that they
// make.

namespace ipusim::gpu {

struct LayerShape {
  std::uint64_t width;
  std::uint64_t batch;
  Precision precision = Precision::Fp32;
};

/// torch.nn.Linear. A bias is part of the kernel of its product.
Program linearLayer(const LayerShape& layer);

/// A butterfly of log2(width) stages, width a power of two. A stage is a broadcast product (reads
/// one activation, writes two) and a sum of pairs (reads two, writes one).
Program butterflyLayer(const LayerShape& layer);

/// Blocks on the diagonals of a flat butterfly, beside a low-rank pair.
struct PixelflyShape {
  LayerShape layer;
  std::uint64_t block;          ///< edge of a block, a divisor of the width
  std::uint64_t rank;           ///< of the pair; 0: none
  std::uint64_t butterfly = 0;  ///< its size, at most width / block; 0: that size
};

/// Blocks of width / 16 (at least 4) and rank width / 32: with a butterfly of full size the only
/// powers of two that give the 404,490 parameters at width 1024 in arXiv 2309.08946, Table 4.
PixelflyShape usualPixelfly(const LayerShape& layer);

/// Gathers the block's inputs, multiplies block by block, adds the low-rank product.
Program pixelflyLayer(const PixelflyShape& shape);

/// Blocks in a row of a pixelfly: log2 of the butterfly's size, and one, each of them as wide as
/// the butterfly is smaller than the blocks a side.
std::uint64_t pixelflyBlocksPerRow(const PixelflyShape& shape);

/// S H G P H B: three products with a diagonal, two Hadamard transforms, a permutation. A transform
/// is one kernel: a pass over the activations with log2(width) additions an element.
Program fastfoodLayer(const LayerShape& layer);

/// A circulant matrix by Fourier transforms of activations and weights, one kernel each: a pass
/// with 5 log2(width) / 2 operations an element, the logarithm rounded up.
Program circulantLayer(const LayerShape& layer);

/// Two thin products.
Program lowRankLayer(const LayerShape& layer, std::uint64_t rank);

}  // namespace ipusim::gpu
