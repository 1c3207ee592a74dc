// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"
#include "models/gpu/tiled_gemm.h"

namespace ipusim::gpu {

/// A block-sparse matrix times a dense one, FP32 operands: for each block, `edge` rows of the dense
/// operand times a square block, by a batched product over blocks.
struct BlockSpmm {
  std::uint64_t blocks;
  std::uint64_t edge;     ///< of a square block
  std::uint64_t columns;  ///< of the dense operand
  Bytes moved;            ///< dense operands and results, once each
  Precision precision = Precision::Fp32;
};

/// Tiles of 64 x 64 without waves: there are far more blocks than multiprocessors.
///
///   T = launch + max(2 blocks roundUp(edge, 64) edge columns / (peak e), streamed bytes)
///
/// with e of the tile law. An edge below a tile leaves part of it idle. Source: the tile law of the
/// preset, NVIDIA's matrix multiplication guide for the padding. Calibrated: no. Valid for: blocks
/// of 64 and more; nothing public to hold it against.
Breakdown blockSpmmTime(const Machine& machine, const BlockSpmm& spmm);

}  // namespace ipusim::gpu
