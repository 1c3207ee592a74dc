// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"
#include "models/gpu/tiled_gemm.h"

namespace ipusim::gpu {

/// A block-sparse matrix times a dense one, with FP32 operands. Each square block multiplies `edge`
/// rows of the dense operand, in a batched product over the blocks.
struct BlockSpmm {
  std::uint64_t blocks;
  std::uint64_t edge;     ///< edge of a square block
  std::uint64_t columns;  ///< columns of the dense operand
  Bytes moved;            ///< bytes of the dense operands and results, once each
  Precision precision = Precision::Fp32;
};

/// Tiles of 64 x 64 without waves: there are far more blocks than multiprocessors.
///
///   T = launch + max(2 blocks roundUp(edge, 64) edge columns / (peak e), streamed bytes)
///
/// The factor e comes from the tile efficiency. An edge below 64 leaves part of a tile idle.
/// Source: the tile efficiency of the preset; NVIDIA's matrix multiplication guide for the padding.
/// Calibrated: no.
/// Valid for: blocks of 64 and more. No public measurement exists to compare with.
Breakdown blockSpmmTime(const Machine& machine, const BlockSpmm& spmm);

}  // namespace ipusim::gpu
