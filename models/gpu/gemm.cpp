// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gemm.h"

#include <algorithm>
#include <array>

#include "ipusim/error.h"

namespace ipusim::gpu {
namespace {

constexpr std::array<std::uint64_t, 6> kSplits = {1, 2, 3, 4, 6, 8};
/// The least number of steps of k in a part of a split.
constexpr std::uint64_t kShortestPart = 256;
/// The largest result of a linear layer, in elements, for which the library also has the kernels of
/// the other layout.
constexpr std::uint64_t kLargestMixed = std::uint64_t{1} << 20U;

void keepShortest(Breakdown& best, const Breakdown& candidate) {
  if (!best.tiling || candidate.seconds < best.seconds) best = candidate;
}

/// Whether the library splits k into so many parts. A result with a short side leaves
/// multiprocessors idle without a split.
bool splits(const Machine& machine, const GemmShape& shape, std::uint64_t parts) {
  if (parts == 1) return true;
  const auto shorter = static_cast<double>(std::min(shape.m, shape.n));
  return shape.k / parts >= kShortestPart &&
         static_cast<double>(shape.k) >= machine.split_k_least_ratio * shorter;
}

void tryTiles(const Machine& machine, const Gemm& gemm, Layout layout, Breakdown& best) {
  for (TileChoice tile : tilesOf(gemm.precision, layout)) {
    for (const std::uint64_t split : kSplits) {
      if (!splits(machine, gemm.shape, split)) continue;
      tile.split = split;
      keepShortest(best, tiledGemm(machine, gemm.shape, gemm.precision, tile));
    }
  }
}

}  // namespace

const std::vector<TileChoice>& tilesOf(Precision precision, Layout layout) {
  static const std::vector<TileChoice> kRowMajor = {
      {128, 128}, {128, 64}, {64, 64}, {32, 32, 1, true}};
  static const std::vector<TileChoice> kTransposed = {
      {128, 64}, {128, 32}, {32, 128}, {64, 32, 1, true}, {32, 32, 1, true}};
  static const std::vector<TileChoice> kTensor = {{256, 128}, {128, 256}, {128, 128}, {256, 64},
                                                  {64, 256},  {128, 64},  {64, 128},  {64, 64}};
  if (precision != Precision::Fp32) return kTensor;
  return layout == Layout::TransposedWeights ? kTransposed : kRowMajor;
}

Breakdown gemmTime(const Machine& machine, const Gemm& gemm) {
  checkShape(gemm.shape);
  check(gemm.shape.batch == 1, "a batch of products is a BatchedGemm");
  Breakdown best;
  tryTiles(machine, gemm, gemm.layout, best);
  const bool mixed = gemm.layout == Layout::Linear && gemm.precision == Precision::Fp32 &&
                     gemm.shape.m <= kLargestMixed / gemm.shape.n;
  if (mixed) tryTiles(machine, gemm, Layout::TransposedWeights, best);
  if (gemm.shape.m > 1 && gemm.shape.n > 1) return best;
  const Breakdown vector = vectorProduct(machine, gemm.shape, gemm.precision);
  return vector.seconds < best.seconds ? vector : best;
}

}  // namespace ipusim::gpu
