// SPDX-License-Identifier: Apache-2.0
#pragma once

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
};

/// A reduction, such as a sum or a maximum, along one side of a tensor, as one kernel.
struct Reduce {
  Bytes read;
  Bytes written;
  Bytes working_set;  ///< as in Elementwise
};

/// Bytes move through L2 or DRAM while the units compute.
///
///   T = launch + max(bytes / rate, flops / FP32 peak)
///
/// The rate is that of elementwise kernels in L2 while the working set is at most the resident
/// share of L2, and that of DRAM otherwise.
/// Calibrated: no; the DRAM efficiency is the A100's.
/// Valid for: within 3 to 5 % when bound by DRAM, unknown in L2.
Breakdown elementwiseTime(const Machine& machine, const Elementwise& kernel);
Breakdown reduceTime(const Machine& machine, const Reduce& kernel);

/// The L2 or DRAM seconds of a kernel that moves `bytes` of a working set, as a breakdown.
Breakdown streamed(const Machine& machine, double bytes, Bytes working_set);

}  // namespace ipusim::gpu
