// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/batched_gemm.h"

#include "models/gpu/gemm.h"

namespace ipusim::gpu {
namespace {

constexpr TileChoice kFp32Tile = {128, 128};

}  // namespace

Breakdown batchedGemmTime(const Machine& machine, const BatchedGemm& gemm) {
  checkShape(gemm.shape);
  if (gemm.precision == Precision::Fp32) {
    return tiledGemm(machine, gemm.shape, gemm.precision, kFp32Tile);
  }
  Breakdown best;
  for (const TileChoice& tile : tilesOf(gemm.precision, Layout::RowMajor)) {
    const Breakdown candidate = tiledGemm(machine, gemm.shape, gemm.precision, tile);
    if (!best.tiling || candidate.seconds < best.seconds) best = candidate;
  }
  return best;
}

}  // namespace ipusim::gpu
