// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/thread_gemm.h"

#include "ipusim/error.h"
#include "ipusim/units.h"
#include "models/gpu/arithmetic.h"

namespace ipusim::gpu {
namespace {

constexpr double kWarpLanes = 32;
constexpr double kThreadGemmElementBytes = 4;
constexpr std::uint64_t kStagedTileBytes = 8;  // one element of each operand

void checkBlock(const Machine& machine, const ThreadGemm& gemm) {
  const std::uint64_t edge = gemm.block_edge;
  check(edge > 0 && edge <= machine.threads_per_block && edge * edge <= machine.threads_per_block,
        "a thread block has at least one thread, and no more than the machine allows");
  check(gemm.staging == Staging::None ||
            edge * edge * kStagedTileBytes <= machine.shared_per_block.value(),
        "the tiles of a thread block fit its shared memory");
}

/// Cycles of the load pipe for one warp and one step of k.
double pipeCycles(const LoadPipe& pipe, const ThreadGemm& gemm) {
  const double loads = 2 * pipe.global_load_cycles;
  if (gemm.staging == Staging::None) return loads;
  const double shared = 2 * pipe.shared_access_cycles;
  return shared + (loads + shared) / real(gemm.block_edge);
}

}  // namespace

Breakdown threadGemmTime(const Machine& machine, const ThreadGemm& gemm) {
  const GemmShape& shape = gemm.shape;
  checkShape(shape);
  checkBlock(machine, gemm);
  const std::uint64_t edge = gemm.block_edge;
  const std::uint64_t blocks = shape.batch * ceilDiv(shape.m, edge) * ceilDiv(shape.n, edge);
  const std::uint64_t waves = ceilDiv(blocks, std::uint64_t{machine.sms});
  // Warps that run on each multiprocessor.
  const double warps = real(waves * edge * edge) / kWarpLanes;
  const double operands =
      real(shape.m) * real(shape.k) + real(shape.k) * real(shape.n) + real(shape.m) * real(shape.n);
  Breakdown parts;
  parts.compute_seconds = flopsOf(shape) / machine.fp32Peak();
  parts.load_pipe_seconds =
      warps * real(shape.k) * pipeCycles(machine.pipe, gemm) / machine.clock_hz;
  parts.dram_seconds = kThreadGemmElementBytes * real(shape.batch) * operands / machine.dramRate();
  parts.launch_seconds = machine.launch.kernel_seconds;
  parts.tiling = Tiling{edge, edge, 1, blocks, waves};
  return overlapped(parts);
}

}  // namespace ipusim::gpu
