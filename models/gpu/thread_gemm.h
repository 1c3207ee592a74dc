// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"
#include "models/gpu/tiled_gemm.h"

namespace ipusim::gpu {

/// Where a thread takes its operands from.
enum class Staging : std::uint8_t {
  None,          ///< global memory, through L1: the naive kernel
  SharedMemory,  ///< tiles that the block brings to shared memory first
};

/// A hand-written FP32 product with one thread for each element of the result.
struct ThreadGemm {
  GemmShape shape;
  Staging staging = Staging::None;
  std::uint64_t block_edge = 16;  ///< threads of a square block a side, and steps of a staged tile
};

/// The load pipe of a multiprocessor is what such kernels wait for. A warp takes for a step of k
///
///   naive    2 L                        L: global load that hits L1, S: shared access
///   staged   2 S + (2 L + 2 S) / edge
///
/// cycles of it; blocks go over the multiprocessors in whole waves. Multiply-adds at the peak rate
/// and every operand once from DRAM overlap.
/// Calibrated: L, on the naive kernel of arXiv 2309.08946, Table 2. Valid for: naive within 5 %;
/// staged kernels come out short by up to 50 %, since waiting at their barriers is left out.
/// Throws InternalError where a block has more threads or shared memory than there are.
Breakdown threadGemmTime(const Machine& machine, const ThreadGemm& gemm);

}  // namespace ipusim::gpu
