// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"
#include "models/gpu/tiled_gemm.h"

namespace ipusim::gpu {

/// Many products of one shape in one call of the library.
struct BatchedGemm {
  GemmShape shape;
  Precision precision = Precision::Fp32;
};

/// FP32 always takes tiles of 128 x 128, however small the matrices: 99.6 % of the calls in the
/// A100 measurements of the NeuSight repository did. Tensor cores take the best of their tiles. k
/// is not split. The formula is that of tiledGemm. Calibrated: no. Valid for: device time within 4
/// to 8 % (FP32).
Breakdown batchedGemmTime(const Machine& machine, const BatchedGemm& gemm);

}  // namespace ipusim::gpu
