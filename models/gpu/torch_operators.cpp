// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/torch_operators.h"

#include <utility>
#include <vector>

#include "base/numbers/powers_of_two.h"
#include "ipusim/error.h"
#include "models/gpu/layer_parts.h"

namespace ipusim::gpu {
namespace {

constexpr std::uint64_t kButterflyTerms = 2;
// Sides that are left of the operands of a stage where neighbours join: the batch, the groups, the
// two results of a pair and the rest; of half of a stage of a Hadamard transform: groups and rest.
constexpr std::uint64_t kButterflySides = 4;
constexpr std::uint64_t kHadamardSides = 2;
// Activations alive together: input, product of twice the size, and sum; input, halves and stack.
constexpr std::uint64_t kButterflyAlive = 4;
constexpr std::uint64_t kHadamardAlive = 3;
constexpr std::uint64_t kFourierAlive = 3;
constexpr std::uint64_t kPixelflyAlive = 3;
constexpr std::uint64_t kButterflyViews = 3;
constexpr std::uint64_t kHadamardViews = 6;
constexpr std::uint64_t kPixelflyViews = 5;

Operator views(std::uint64_t count) {
  return {"views", FrameworkCall::View, {}, count};
}

Operator productOperator(const char* name, const LayerShape& layer, std::uint64_t n,
                         std::uint64_t k) {
  return {name, FrameworkCall::Product, {Gemm{{layer.batch, n, k}, layer.precision}}};
}

void appendHadamard(const LayerShape& layer, std::vector<Operator>& operators) {
  const Bytes one = activation(layer);
  const Bytes half = Bytes(one.value() / 2);
  const Bytes alive = kHadamardAlive * one;
  const std::uint64_t elements = layer.width * layer.batch;
  const Elementwise halves{one, half, alive, Flops(elements / 2), elements / 2, kHadamardSides};
  const std::uint64_t stages = floorLog2(layer.width);
  operators.push_back(views(kHadamardViews * stages));
  operators.push_back({"sum of halves", FrameworkCall::Elementwise, {halves}, stages});
  operators.push_back({"difference of halves", FrameworkCall::Elementwise, {halves}, stages});
  operators.push_back(
      {"stack", FrameworkCall::Elementwise, {Elementwise{one, one, alive}}, stages});
}

}  // namespace

Program butterflyOperators(const LayerShape& layer) {
  check(isPowerOfTwo(layer.width) && layer.width > 1, "a butterfly's width is a power of two");
  const Bytes one = activation(layer);
  const Bytes alive = kButterflyAlive * one;
  const std::uint64_t products = 2 * layer.width * layer.batch;
  Program program{"butterfly operators", {}, alive};
  for (std::uint64_t stride = 1; stride < layer.width; stride *= 2) {
    program.operators.push_back(views(kButterflyViews));
    program.operators.push_back(pass(
        "multiply", Elementwise{one, 2 * one, alive, Flops(products), products, kButterflySides}));
    program.operators.push_back(pass("sum", Reduce{2 * one, one, alive, kButterflyTerms, stride}));
  }
  return program;
}

Program circulantOperators(const LayerShape& layer) {
  const Bytes one = activation(layer);
  const Bytes row(kActivationElementBytes * layer.width);
  const Bytes alive = kFourierAlive * one + row;
  const Elementwise over{one, one, alive};
  const Elementwise weights{row, row, alive};
  const Elementwise multiply{one + row, one, alive, Flops(3 * layer.width * layer.batch)};
  return {"circulant operators",
          {{"transform", FrameworkCall::BatchedMatmul, {over}},
           {"transform weights", FrameworkCall::BatchedMatmul, {weights}},
           pass("multiply", multiply),
           {"transform back", FrameworkCall::BatchedMatmul, {over, over, over}}},
          alive};
}

Program fastfoodOperators(const LayerShape& layer) {
  check(isPowerOfTwo(layer.width) && layer.width > 1, "a Hadamard transform's width is 2^n");
  const Bytes one = activation(layer);
  const Bytes alive = kHadamardAlive * one;
  const std::uint64_t elements = layer.width * layer.batch;
  const Operator diagonal = pass("diagonal", Elementwise{one, one, alive, Flops(elements)});
  Program program{"fastfood operators", {diagonal}, alive};
  appendHadamard(layer, program.operators);
  program.operators.push_back(
      pass("permute", Gather{elements, Bytes(kActivationElementBytes), Bytes(kIndexBytes), alive}));
  program.operators.push_back(diagonal);
  appendHadamard(layer, program.operators);
  program.operators.push_back(diagonal);
  return program;
}

Program lowRankOperators(const LayerShape& layer, std::uint64_t rank) {
  Program program = lowRankLayer(layer, rank);
  program.name = "low rank operators";
  program.operators = {productOperator("down", layer, rank, layer.width),
                       productOperator("up", layer, layer.width, rank)};
  return program;
}

Program pixelflyOperators(const PixelflyShape& shape, std::uint64_t blocks_per_row) {
  const LayerShape& layer = shape.layer;
  check(shape.block > 0 && layer.width % shape.block == 0, "a pixelfly's block divides its width");
  check(blocks_per_row > 0, "a row of a pixelfly has blocks");
  const Bytes one = activation(layer);
  const Bytes gathered = blocks_per_row * one;
  const std::uint64_t rows = layer.width / shape.block;
  const Bytes alive = gathered + gathered + kPixelflyAlive * one;
  const GemmShape blocks{layer.batch, shape.block, blocks_per_row * shape.block, rows};
  Program program{"pixelfly operators", {views(kPixelflyViews)}, alive};
  std::vector<Operator>& operators = program.operators;
  operators.push_back(
      pass("gather", Gather{rows * blocks_per_row * layer.batch,
                            kActivationElementBytes * Bytes(shape.block), Bytes(0), alive}));
  operators.push_back(pass("rows apart", Elementwise{gathered, gathered, alive}));
  operators.push_back(
      {"blocks", FrameworkCall::BatchedMatmul, {BatchedGemm{blocks, layer.precision}}});
  operators.push_back(pass("rows together", Elementwise{one, one, alive}));
  if (shape.rank > 0) {
    operators.push_back(productOperator("down", layer, shape.rank, layer.width));
    operators.push_back(productOperator("up", layer, layer.width, shape.rank));
    operators.push_back(pass("add", Elementwise{2 * one, one, alive}));
  }
  return program;
}

std::uint64_t operatorsInTraining(HiddenLayer kind, std::uint64_t width) {
  const std::uint64_t dense = trainingOperations(HiddenLayer::Dense, width);
  const std::uint64_t stages = floorLog2(width);
  constexpr std::uint64_t kCirculant = 20;
  constexpr std::uint64_t kButterflyStage = 14;
  constexpr std::uint64_t kForEachKernel = 6;
  constexpr std::uint64_t kPixelflyKernels = 7;
  constexpr std::uint64_t kFastfoodKernels = 4;  // beside those of the transforms
  switch (kind) {
    case HiddenLayer::Dense:
    case HiddenLayer::LowRank:
      return trainingOperations(kind, width);
    case HiddenLayer::Circulant:
      return dense + kCirculant;
    case HiddenLayer::Fastfood:
      return dense + kForEachKernel * (kFastfoodKernels + 2 * 3 * stages);
    case HiddenLayer::Pixelfly:
      return dense + kForEachKernel * kPixelflyKernels;
    case HiddenLayer::Butterfly:
      return dense + kButterflyStage * stages;
  }
  throw InternalError("no such layer");
}

}  // namespace ipusim::gpu
