// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"
#include "models/gpu/tiled_gemm.h"

namespace ipusim::gpu {

/// How operands lie in memory. The layout decides which FP32 kernels the library has.
enum class Layout : std::uint8_t {
  RowMajor,           ///< both operands; the library is called directly
  TransposedWeights,  ///< the second operand is column-major, as in a linear layer
  Linear,             ///< a linear layer: the better of the two for results of up to 2^20 elements
};

/// One product by the vendor's library (cuBLAS).
struct Gemm {
  GemmShape shape;  ///< with batch 1
  Precision precision = Precision::Fp32;
  Layout layout = Layout::RowMajor;
};

/// The kernels that the library chooses from. Its choice is not optimal: a minimum over a longer
/// list is 12 to 16 % too short on the A100 measurements below.
/// Source: kernel names in the A100 FP32 and FP16 measurements of the NeuSight and LLMCompass
/// repositories.
const std::vector<TileChoice>& tilesOf(Precision precision, Layout layout);

/// The shortest time over the kernels, and over splits of k into 2, 3, 4, 6 or 8 parts of at least
/// 256 steps where k is at least split_k_least_ratio shorter sides of the result. A vector may also
/// take the kernel of vectorProduct. Formula and validity are those of tiledGemm. With the kernel
/// that this rule chooses, the time is within 10 to 15 %; for tiny products it is more than 30 %
/// off.
Breakdown gemmTime(const Machine& machine, const Gemm& gemm);

}  // namespace ipusim::gpu
