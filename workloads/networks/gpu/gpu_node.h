// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/program.h"
#include "workloads/networks/graph/operation.h"

namespace ipusim::workloads {

/// A node of a network on a GPU.
struct GpuNode {
  TensorTypes operands;
  Bytes first_result;
  gpu::Elementwise pass;  ///< a kernel that reads the operands and writes the results
};

/// An operator of that one kernel. It has no name yet.
gpu::Operator gpuPass(const GpuNode& node);

/// A kernel for the statistics in front of the pass.
gpu::Operator gpuNorm(const GpuNode& node);

}  // namespace ipusim::workloads
