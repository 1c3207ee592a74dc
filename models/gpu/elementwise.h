// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/units.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// One kernel that reads and writes each element once: a map over tensors, a broadcast, a copy.
struct Elementwise {
  Bytes read;
  Bytes written;
  Bytes working_set;  ///< of the chain of kernels it belongs to; at least what it reads and writes
  Flops flops = Flops(0);
};

/// A sum (or maximum, ...) along one side of a tensor, as one kernel.
struct Reduce {
  Bytes read;
  Bytes written;
  Bytes working_set;  ///< as above
};

/// Moves bytes through L2 or DRAM while the units compute.
///
///   T = launch + max(bytes / rate, flops / FP32 peak)
///
/// The rate is that of elementwise kernels in L2 while the working set is at most the resident
/// share of it, else that of DRAM. Calibrated: no; the DRAM efficiency is the A100's. Valid for:
/// within 3 to 5 % when bound by DRAM, unknown in L2.
Breakdown elementwiseTime(const Machine& machine, const Elementwise& kernel);
Breakdown reduceTime(const Machine& machine, const Reduce& kernel);

/// The part of a kernel's breakdown that moves `bytes` of a working set: L2 or DRAM seconds.
Breakdown streamed(const Machine& machine, double bytes, Bytes working_set);

}  // namespace ipusim::gpu
