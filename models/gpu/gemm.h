// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"
#include "models/gpu/tiled_gemm.h"

namespace ipusim::gpu {

/// How operands lie in memory, which decides the kernels that the library has for FP32.
enum class Layout : std::uint8_t {
  RowMajor,           ///< both, the library called directly
  TransposedWeights,  ///< the second operand column-major, as in a linear layer
  Linear,             ///< a linear layer: the better of the two for results of up to 2^20 elements
};

/// One product by the vendor's library (cuBLAS).
struct Gemm {
  GemmShape shape;  ///< batch 1
  Precision precision = Precision::Fp32;
  Layout layout = Layout::RowMajor;
};

/// Kernels the library chooses from. It is not optimal: over a longer list the minimum comes out 12
/// to 16 % too short on the A100 measurements below.
/// Source: kernel names in the A100 FP32 and FP16 measurements of the NeuSight and LLMCompass
/// repositories.
const std::vector<TileChoice>& tilesOf(Precision precision, Layout layout);

/// The shortest time over the kernels and over splits of k into 2, 3, 4, 6 or 8 parts of at least
/// 256 steps. Formula and validity as tiledGemm; with the kernel chosen by this rule within 10 to
/// 15 %, above 30 % for tiny products.
Breakdown gemmTime(const Machine& machine, const Gemm& gemm);

}  // namespace ipusim::gpu
