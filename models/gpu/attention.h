// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// softmax(Q K^T) V in one kernel that keeps the scores on chip, in FP16 with FP32 sums. Q is
/// [queries, width], K and V are [keys, width], and there are `heads` of each, those of all
/// sequences together.
struct Attention {
  std::uint64_t heads;
  std::uint64_t queries;
  std::uint64_t keys;
  std::uint64_t width;
};

/// A thread block takes 128 queries, and all keys one tile after the other: 64 keys, or 128 where
/// the width is at most 64 (FlashAttention-2, arXiv 2307.08691). What its steps take is added,
/// because each of them waits for the one before.
///
///   waves    = ceil(heads ceil(queries / 128) / sms)
///   products = 2 x 2 x 128 keys width per block, at the half efficiency of
///              128 x (tile of keys) and of 128 x width
///   scores   = 128 keys per block: one exponential at 16 per cycle of a multiprocessor, and three
///              FP32 operations (largest, scaled difference, sum)
///   L2       = blocks x K and V / L2 rate;  DRAM = Q, K, V and the result once / DRAM rate
///
/// The rate of exponentials is that of compute capability 8.0 in the CUDA C++ Programming Guide
/// (throughput of arithmetic instructions). Calibrated: no. Valid for: long sequences without a
/// mask, widths of 64 and 128; the half efficiency is that of an A100.
Breakdown attentionTime(const Machine& machine, const Attention& attention);

/// 4 heads queries keys width: both products, each multiply-add two.
double attentionFlops(const Attention& attention);

}  // namespace ipusim::gpu
