// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/program.h"

// Forward passes of square layers as eager PyTorch runs them, with activations [batch, width] in
// FP32. The comparison follows arXiv 2309.08946, section 4.1. The kernels follow
// HazyResearch/butterfly, HazyResearch/fly and HazyResearch/structured-nets, read as the passes
// over activations that they make.

namespace ipusim::gpu {

struct LayerShape {
  std::uint64_t width;
  std::uint64_t batch;
  Precision precision = Precision::Fp32;
};

/// torch.nn.Linear. The bias is part of the kernel of its product.
Program linearLayer(const LayerShape& layer);

/// A butterfly of log2(width) stages; the width is a power of two. A stage is a broadcast product,
/// which reads one activation and writes two, and a sum of pairs, which reads two and writes one.
Program butterflyLayer(const LayerShape& layer);

/// Blocks on the diagonals of a flat butterfly, and a low-rank pair beside them.
struct PixelflyShape {
  LayerShape layer;
  std::uint64_t block;          ///< edge of a block, a divisor of the width
  std::uint64_t rank;           ///< rank of the pair; 0: no pair
  std::uint64_t butterfly = 0;  ///< size of the butterfly, at most width / block; 0: width / block
};

/// Blocks of width / 16 (at least 4), and rank width / 32. With a butterfly of full size these are
/// the only powers of two that give the 404,490 parameters at width 1024 in arXiv 2309.08946, Table
/// 4.
PixelflyShape usualPixelfly(const LayerShape& layer);

/// Gathers the inputs of the blocks, multiplies block by block, and adds the low-rank product.
Program pixelflyLayer(const PixelflyShape& shape);

/// The number of blocks in a row of a pixelfly: log2(size) + 1 diagonals of the butterfly, where
/// each diagonal is (width / block) / size blocks wide, rounded up.
std::uint64_t pixelflyBlocksPerRow(const PixelflyShape& shape);

/// S H G P H B: three products with a diagonal, two Hadamard transforms, a permutation. A transform
/// is one kernel: a pass over the activations with log2(width) additions per element.
Program fastfoodLayer(const LayerShape& layer);

/// A circulant matrix by Fourier transforms of activations and weights. Each transform is one
/// kernel: a pass with 5 log2(width) / 2 operations per element, with the logarithm rounded up.
Program circulantLayer(const LayerShape& layer);

/// A low-rank matrix as two thin products.
Program lowRankLayer(const LayerShape& layer, std::uint64_t rank);

}  // namespace ipusim::gpu
