// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// The units that multiply. Operands have 4 bytes in both cases.
enum class Precision : std::uint8_t { Fp32, Tf32 };

/// `batch` products [m, k] x [k, n].
struct GemmShape {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
  std::uint64_t batch = 1;
};

/// A kernel of the library, by the tile of the result that a thread block computes.
struct TileChoice {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t split = 1;  ///< parts that k is cut into, one block per part
  bool k_sliced = false;    ///< k is cut between the warps of a block
};

/// A product by one kernel: tiles in whole waves over the multiprocessors.
///
///   waves   = ceil(batch ceil(m/rows) ceil(n/columns) split / sms)
///   compute = waves 2 rows columns (roundUp(ceil(k/split), q) + k0)
///             / (flops per second of one sm) / e
///   1/e     = base + slope (1/rows + 1/columns); an FP32 single wave is less efficient
///   L2      = 4 batch ceil(m/rows) ceil(n/columns) (rows + columns) k / L2 rate
///   DRAM    = 4 batch (m k + k n + m n (1 + 2 split where split > 1)) / DRAM rate
///
/// The alignment factor multiplies compute, L2 and DRAM when TF32 operands cannot be loaded 128
/// bits at a time. q is 8, or 32 with tensor cores. Blocks that share a multiprocessor also share
/// its units, so waves count blocks over multiprocessors, whatever the occupancy.
/// Source: tile and wave quantisation as in NVIDIA's matrix multiplication guide; constants from
/// the preset.
/// Calibrated: base, on arXiv 2309.08946, Table 2.
/// Valid for: m, n, k, batch and split of at least 1, and products of them below 2^63; large
/// products within 3 to 7 %.
Breakdown tiledGemm(const Machine& machine, const GemmShape& shape, Precision precision,
                    const TileChoice& tile);

/// The factor by which operands of width k and n slow a TF32 kernel.
double alignmentFactor(const Machine& machine, const GemmShape& shape);

/// 2 m n k batch.
double flopsOf(const GemmShape& shape);

/// Throws InternalError unless every extent is at least 1.
void checkShape(const GemmShape& shape);

}  // namespace ipusim::gpu
