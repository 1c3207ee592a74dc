// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// A sparse [m, k] in compressed rows (4-byte values and indices) times a dense [k, n], in FP32.
struct CsrSpmm {
  std::uint64_t m;
  std::uint64_t k;
  std::uint64_t n;
  std::uint64_t nonzeros;
};

/// Every non-zero brings one row of the dense operand through L2; all arrays cross DRAM once. The
/// two times are added: little of one hides behind the other.
///
///   T = 4 nonzeros n / (gather efficiency x L2 rate)
///     + (8 nonzeros + 4 (m + 1) + 4 k n + 4 m n) / DRAM rate + launch
///
/// Calibrated: the gather efficiency, on cuSPARSE at 99 % sparsity in arXiv 2309.08946, Table 2.
/// Valid for: evenly spread non-zeros, 90 to 99 % sparse, within 5 to 10 %. The error is unknown
/// below 80 %, for uneven rows, and for a vector (n = 1).
Breakdown csrSpmmTime(const Machine& machine, const CsrSpmm& spmm);

}  // namespace ipusim::gpu
