// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/csr_spmm.h"

#include "ipusim/error.h"
#include "models/gpu/arithmetic.h"

namespace ipusim::gpu {
namespace {

constexpr double kCsrSpmmElementBytes = 4;
constexpr double kNonzeroBytes = 8;  // a value and its column

}  // namespace

Breakdown csrSpmmTime(const Machine& machine, const CsrSpmm& spmm) {
  check(spmm.m > 0 && spmm.k > 0 && spmm.n > 0, "a product has extents of at least 1");
  check(real(spmm.nonzeros) <= real(spmm.m) * real(spmm.k), "no more non-zeros than elements");
  const double gathered = real(spmm.nonzeros) * real(spmm.n);
  const double dense = real(spmm.k) * real(spmm.n) + real(spmm.m) * real(spmm.n);
  const double row_pointers = real(spmm.m) + 1;
  const double crossing =
      kNonzeroBytes * real(spmm.nonzeros) + kCsrSpmmElementBytes * (row_pointers + dense);
  Breakdown parts;
  parts.l2_seconds =
      kCsrSpmmElementBytes * gathered / (machine.csr_gather_efficiency * machine.l2Rate());
  parts.dram_seconds = crossing / machine.dramRate();
  parts.launch_seconds = machine.launch.kernel_seconds;
  Breakdown time = inSequence(parts);
  // Multiply-adds at the peak hide behind the gather. They are shown, but do not count.
  time.compute_seconds = kFlopsPerMultiplyAdd * gathered / machine.fp32Peak();
  return time;
}

}  // namespace ipusim::gpu
