// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/block_spmm.h"

#include "ipusim/error.h"
#include "models/gpu/arithmetic.h"
#include "models/gpu/elementwise.h"

namespace ipusim::gpu {
namespace {

constexpr std::uint64_t kTileEdge = 64;

}  // namespace

Breakdown blockSpmmTime(const Machine& machine, const BlockSpmm& spmm) {
  check(spmm.blocks > 0 && spmm.edge > 0 && spmm.columns > 0,
        "a block-sparse product has blocks and columns");
  const bool tensor = spmm.precision == Precision::Tf32;
  const TileEfficiency& efficiency = tensor ? machine.tf32 : machine.fp32;
  const double inverse_efficiency = efficiency.base + efficiency.slope * 2 / real(kTileEdge);
  const double flops = kFlopsPerMultiplyAdd * real(spmm.blocks) *
                       real(roundUp(spmm.edge, kTileEdge)) * real(spmm.edge) * real(spmm.columns);
  Breakdown parts = streamed(machine, real(spmm.moved.value()), spmm.moved);
  parts.compute_seconds =
      flops / (tensor ? machine.tf32Peak() : machine.fp32Peak()) * inverse_efficiency;
  parts.launch_seconds = machine.launch.kernel_seconds;
  return overlapped(parts);
}

}  // namespace ipusim::gpu
