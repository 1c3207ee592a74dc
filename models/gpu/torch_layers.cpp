// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/torch_layers.h"

#include <algorithm>
#include <utility>

#include "base/numbers/powers_of_two.h"
#include "ipusim/error.h"
#include "models/gpu/layer_parts.h"

namespace ipusim::gpu {
namespace {

// How many activations are alive together. Butterfly: the input, its product, which has twice the
// size, and the sum. Pixelfly: the input, the output and the low-rank output, besides one gathered
// activation per block of a row.
constexpr std::uint64_t kButterflyActivations = 4;
constexpr std::uint64_t kPixelflyActivations = 3;
/// The input and the output of a pass.
constexpr std::uint64_t kPassActivations = 2;
constexpr std::uint64_t kFourierOperations = 5;
constexpr std::uint64_t kPixelflyBlocksASide = 16;
constexpr std::uint64_t kPixelflyRankShare = 32;
constexpr std::uint64_t kSmallestBlock = 4;

Gemm product(const LayerShape& layer, std::uint64_t n, std::uint64_t k) {
  return {{layer.batch, n, k}, layer.precision, Layout::Linear};
}

}  // namespace

Program linearLayer(const LayerShape& layer) {
  const Bytes weights(kActivationElementBytes * layer.width * layer.width);
  const Operator op{"linear", FrameworkCall::Linear, {product(layer, layer.width, layer.width)}};
  return {"linear", {op}, 2 * activation(layer) + weights};
}

Program butterflyLayer(const LayerShape& layer) {
  check(isPowerOfTwo(layer.width) && layer.width > 1, "a butterfly's width is a power of two");
  const Bytes one = activation(layer);
  const Bytes alive = kButterflyActivations * one;
  const Flops products(2 * layer.width * layer.batch);
  Operator stage{"stage", FrameworkCall::ButterflyStage, {}, floorLog2(layer.width)};
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
  const std::uint64_t size = shape.butterfly == 0 ? side : shape.butterfly;
  return (floorLog2(size) + 1) * ceilDiv(side, size);
}

Program pixelflyLayer(const PixelflyShape& shape) {
  const LayerShape& layer = shape.layer;
  check(shape.block > 0 && layer.width > 0 && layer.width % shape.block == 0,
        "a pixelfly's block divides its width");
  check(shape.butterfly <= layer.width / shape.block,
        "a pixelfly's butterfly is at most its blocks a side");
  const Bytes one = activation(layer);
  const std::uint64_t per_row = pixelflyBlocksPerRow(shape);
  const std::uint64_t blocks = per_row * layer.width / shape.block;
  const Bytes gathered = per_row * one;
  Operator op{"pixelfly", FrameworkCall::PixelflyLayer, {}};
  op.kernels.emplace_back(Gather{blocks * layer.batch, kActivationElementBytes * Bytes(shape.block),
                                 Bytes(0), gathered + one});
  op.kernels.emplace_back(
      BlockSpmm{blocks, shape.block, layer.batch, gathered + one, layer.precision});
  if (shape.rank > 0) {
    op.kernels.emplace_back(product(layer, shape.rank, layer.width));
    op.kernels.emplace_back(product(layer, layer.width, shape.rank));
    op.kernels.emplace_back(Elementwise{2 * one, one, 3 * one});
  }
  const Bytes weights(kActivationElementBytes * blocks * shape.block * shape.block);
  return {"pixelfly", {op}, gathered + kPixelflyActivations * one + weights};
}

Program fastfoodLayer(const LayerShape& layer) {
  check(isPowerOfTwo(layer.width) && layer.width > 1, "a Hadamard transform's width is 2^n");
  const Bytes one = activation(layer);
  const Bytes alive = kPassActivations * one;
  const std::uint64_t elements = layer.width * layer.batch;
  const Operator diagonal = pass("diagonal", Elementwise{one, one, alive, Flops(elements)});
  const Operator hadamard =
      pass("hadamard", Elementwise{one, one, alive, Flops(elements * floorLog2(layer.width))});
  const Operator permute =
      pass("permute", Gather{elements, Bytes(kActivationElementBytes), Bytes(kIndexBytes), alive});
  return {"fastfood", {diagonal, hadamard, permute, diagonal, hadamard, diagonal}, alive};
}

Program circulantLayer(const LayerShape& layer) {
  const Bytes one = activation(layer);
  const Bytes row(kActivationElementBytes * layer.width);
  const Bytes alive = kPassActivations * one + row;
  const std::uint64_t elements = layer.width * layer.batch;
  const std::uint64_t halvings = ceilLog2(layer.width);
  // A transform of real values takes half of the 5 n log2 n operations of complex ones. A complex
  // product takes six operations on half as many values.
  const auto transform = [&](const char* name, Bytes bytes, std::uint64_t count) {
    return pass(name,
                Elementwise{bytes, bytes, alive, Flops(kFourierOperations * count * halvings / 2)});
  };
  const Operator multiply =
      pass("multiply", Elementwise{one + row, one, alive, Flops(3 * elements)});
  return {"circulant",
          {transform("transform", one, elements), transform("transform weights", row, layer.width),
           multiply, transform("transform back", one, elements)},
          alive};
}

Program lowRankLayer(const LayerShape& layer, std::uint64_t rank) {
  check(rank > 0, "a low-rank layer has a rank");
  const Bytes one = activation(layer);
  const Bytes weights(kActivationElementBytes * 2 * rank * layer.width);
  const Bytes thin(kActivationElementBytes * rank * layer.batch);
  return {"low rank",
          {{"down", FrameworkCall::Linear, {product(layer, rank, layer.width)}},
           {"up", FrameworkCall::Linear, {product(layer, layer.width, rank)}}},
          2 * one + thin + weights};
}

}  // namespace ipusim::gpu
