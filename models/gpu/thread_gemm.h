// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"
#include "models/gpu/tiled_gemm.h"

namespace ipusim::gpu {

/// Where a thread reads its operands.
enum class Staging : std::uint8_t {
  None,          ///< in global memory, through L1: the naive kernel
  SharedMemory,  ///< in shared memory, to which the block first copies tiles
};

/// A hand-written FP32 product with one thread per element of the result.
struct ThreadGemm {
  GemmShape shape;
  Staging staging = Staging::None;
  /// Threads along each side of a square block, and steps of a staged tile.
  std::uint64_t block_edge = 16;
};

/// Such kernels wait for the load pipe of a multiprocessor. For one step of k a warp takes
///
///   naive    2 L                        L: global load that hits L1, S: shared access
///   staged   2 S + (2 L + 2 S) / edge
///
/// cycles of the pipe. Blocks go to the multiprocessors in whole waves. Multiply-adds at the peak
/// rate overlap with this, and so does reading every operand once from DRAM.
/// Calibrated: L, on the naive kernel of arXiv 2309.08946, Table 2.
/// Valid for: naive within 5 %; staged kernels are up to 50 % too short, because waiting at their
/// barriers is left out.
///
/// Throws InternalError when a block has more threads or shared memory than the GPU allows.
Breakdown threadGemmTime(const Machine& machine, const ThreadGemm& gemm);

}  // namespace ipusim::gpu
