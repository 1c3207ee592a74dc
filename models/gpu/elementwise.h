// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// One kernel that reads and writes each element once, such as a map over tensors, a broadcast or a
/// copy.
struct Elementwise {
  Bytes read;
  Bytes written;
  Bytes working_set;  ///< working set of the chain of kernels that it belongs to; at least what it
                      ///< reads and writes
  Flops flops = Flops(0);
  /// For operands of which one is strided or broadcast: the elements, whose addresses the kernel
  /// then computes one by one, and the sides that are left where neighbours join.
  std::uint64_t addressed_elements = 0;
  std::uint64_t addressed_sides = 0;
};

/// A reduction, such as a sum or a maximum, along one side of a tensor, as one kernel.
struct Reduce {
  Bytes read;
  Bytes written;
  Bytes working_set;  ///< as in Elementwise
  /// For a reduction along a short side: the values of one result, and how far they are apart.
  /// 0: a long side, whose threads are many.
  std::uint64_t terms = 0;
  std::uint64_t stride = 0;
};

/// Bytes move through L2 or DRAM while the units compute.
///
///   T = launch + max(bytes / rate, flops / FP32 peak, instructions / issue rate)
///   instructions = elements (12 + 13 sides), of a strided or broadcast operand
///
/// The rate is that of elementwise kernels in L2 while the working set is at most the resident
/// share of L2, and that of DRAM otherwise. A multiprocessor issues one instruction for each of 128
/// lanes a cycle.
/// Source of the instructions: OffsetCalculator of PyTorch, three operands: a division by
/// multiplication and three multiply-adds a side, counted.
/// Calibrated: no; the DRAM efficiency is the A100's.
/// Valid for: within 3 to 5 % when bound by DRAM, unknown in L2.
Breakdown elementwiseTime(const Machine& machine, const Elementwise& kernel);

/// The formula of elementwiseTime, and at least as long as the blocks take their turns:
///
///   T = launch + max(bytes / rate, blocks / (sms resident) x seconds of a block)
///   resident = min(blocks a multiprocessor holds, threads it holds / threads of a block)
///
/// A short side makes blocks of few threads. For a stride s > 1 a block has min(s, 256) x 2
/// threads, one for each result; for neighbours it has 512, two for each result. Source:
/// setReduceConfig in Reduce.cuh of PyTorch. Calibrated: no. Valid for: sides of 2; large tensors
/// are up to 40 % too fast.
Breakdown reduceTime(const Machine& machine, const Reduce& kernel);

/// The L2 or DRAM seconds of a kernel that moves `bytes` of a working set, as a breakdown.
Breakdown streamed(const Machine& machine, double bytes, Bytes working_set);

}  // namespace ipusim::gpu
