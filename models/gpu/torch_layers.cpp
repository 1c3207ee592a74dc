// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/torch_layers.h"

#include <algorithm>

#include "sim/base/error.h"

namespace ipusim::gpu {
namespace {

constexpr std::uint64_t kElementBytes = 4;
// Activations that are alive together: the butterfly's input, its product of twice the size and the
// sum; the pixelfly's input, output and low-rank output, beside a gathered one for each block of a
// row.
constexpr std::uint64_t kButterflyActivations = 4;
constexpr std::uint64_t kPixelflyActivations = 3;
constexpr std::uint64_t kPixelflyBlocksASide = 16;
constexpr std::uint64_t kPixelflyRankShare = 32;
constexpr std::uint64_t kSmallestBlock = 4;

bool isPowerOfTwo(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

std::uint64_t log2Of(std::uint64_t power) {
  std::uint64_t exponent = 0;
  while (power > 1) {
    power /= 2;
    ++exponent;
  }
  return exponent;
}

Bytes activation(const LayerShape& layer) {
  return Bytes(kElementBytes * layer.width * layer.batch);
}

Gemm product(const LayerShape& layer, std::uint64_t n, std::uint64_t k) {
  return {{layer.batch, n, k}, layer.precision, Layout::Linear};
}

}  // namespace

Program linearLayer(const LayerShape& layer) {
  const Bytes weights(kElementBytes * layer.width * layer.width);
  const Operator op{"linear", Call::Linear, {product(layer, layer.width, layer.width)}};
  return {"linear", {op}, 2 * activation(layer) + weights};
}

Program butterflyLayer(const LayerShape& layer) {
  check(isPowerOfTwo(layer.width) && layer.width > 1, "a butterfly's width is a power of two");
  const Bytes one = activation(layer);
  const Bytes alive = kButterflyActivations * one;
  const Flops products(2 * layer.width * layer.batch);
  Operator stage{"stage", Call::ButterflyStage, {}, log2Of(layer.width)};
  stage.kernels.emplace_back(Elementwise{one, 2 * one, alive, products});
  stage.kernels.emplace_back(Reduce{2 * one, one, alive});
  return {"butterfly", {stage}, alive};
}

PixelflyShape usualPixelfly(const LayerShape& layer) {
  return {layer, std::max(kSmallestBlock, layer.width / kPixelflyBlocksASide),
          std::max<std::uint64_t>(1, layer.width / kPixelflyRankShare)};
}

std::uint64_t pixelflyBlocksPerRow(const PixelflyShape& shape) {
  const std::uint64_t side = shape.layer.width / shape.block;
  return std::min(side, log2Of(std::max<std::uint64_t>(2, side)) + 1);
}

Program pixelflyLayer(const PixelflyShape& shape) {
  const LayerShape& layer = shape.layer;
  check(isPowerOfTwo(layer.width) && isPowerOfTwo(shape.block) && shape.block <= layer.width,
        "a pixelfly's width and block are powers of two, the block not the larger");
  const Bytes one = activation(layer);
  const std::uint64_t per_row = pixelflyBlocksPerRow(shape);
  const std::uint64_t blocks = per_row * layer.width / shape.block;
  const Bytes gathered = per_row * one;
  Operator op{"pixelfly", Call::PixelflyLayer, {}};
  op.kernels.emplace_back(
      Gather{blocks * layer.batch, kElementBytes * Bytes(shape.block), Bytes(0), gathered + one});
  op.kernels.emplace_back(
      BlockSpmm{blocks, shape.block, layer.batch, gathered + one, layer.precision});
  op.kernels.emplace_back(product(layer, shape.rank, layer.width));
  op.kernels.emplace_back(product(layer, layer.width, shape.rank));
  op.kernels.emplace_back(Elementwise{2 * one, one, 3 * one});
  const Bytes weights(kElementBytes * blocks * shape.block * shape.block);
  return {"pixelfly", {op}, gathered + kPixelflyActivations * one + weights};
}

}  // namespace ipusim::gpu
