// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// The units that multiply, and their operands: FP32 lanes, or tensor cores for TF32 or FP16.
/// Operands have 4 bytes, or 2 for FP16, which is summed in FP32.
enum class Precision : std::uint8_t { Fp32, Tf32, Fp16 };

/// Bytes of an element of the operands and of the result.
std::uint64_t elementBytes(Precision precision);

/// `batch` products [m, k] x [k, n].
struct GemmShape {
  std::uint64_t m;
  std::uint64_t n;
  std::uint64_t k;
  std::uint64_t batch = 1;
  /// Bytes of both operands of all products, where a kernel takes some of them more than once, as a
  /// convolution does. 0: those of m k + k n elements.
  Bytes operand_bytes = Bytes(0);
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
///   L2      = w batch ceil(m/rows) ceil(n/columns) (rows + columns) k / L2 rate
///   DRAM    = batch (w (m k + k n + m n) + 4 m n (2 split where split > 1)) / DRAM rate
///
/// w is elementBytes(). The alignment factor multiplies compute, L2 and DRAM when operands of
/// tensor cores cannot be loaded 128 bits at a time. q is 8, or 32 with tensor cores. Blocks that
/// share a multiprocessor also share its units, so waves count blocks over multiprocessors,
/// whatever the occupancy. Source: tile and wave quantisation as in NVIDIA's matrix multiplication
/// guide; constants from the preset. Calibrated: base of FP32 and TF32, on arXiv 2309.08946,
/// Table 2. FP16 has the efficiency of A100 products, which no row of an A30 checks alone. Valid
/// for: m, n, k, batch and split of at least 1, and products of them below 2^63; large products
/// within 3 to 7 %.
Breakdown tiledGemm(const Machine& machine, const GemmShape& shape, Precision precision,
                    const TileChoice& tile);

/// The factor by which operands of width k and n slow a kernel of tensor cores. 16-bit loads count
/// as 32-bit ones.
double alignmentFactor(const Machine& machine, const GemmShape& shape,
                       Precision precision = Precision::Tf32);

/// 2 m n k batch.
double flopsOf(const GemmShape& shape);

/// Throws InternalError unless every extent is at least 1.
void checkShape(const GemmShape& shape);

}  // namespace ipusim::gpu
