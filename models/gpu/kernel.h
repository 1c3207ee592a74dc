// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "models/gpu/attention.h"
#include "models/gpu/batched_gemm.h"
#include "models/gpu/block_spmm.h"
#include "models/gpu/breakdown.h"
#include "models/gpu/csr_spmm.h"
#include "models/gpu/elementwise.h"
#include "models/gpu/gather.h"
#include "models/gpu/gemm.h"
#include "models/gpu/machine.h"
#include "models/gpu/thread_gemm.h"

namespace ipusim::gpu {

/// A kernel that is launched once, as plain data.
using Kernel = std::variant<Gemm, BatchedGemm, ThreadGemm, CsrSpmm, BlockSpmm, Attention,
                            Elementwise, Reduce, Gather>;

/// The time by the model of its kind. It includes the launch, and nothing of the host.
Breakdown kernelTime(const Machine& machine, const Kernel& kernel);

/// The name of a kind, such as "gemm" or "csr spmm".
const char* nameOf(const Kernel& kernel);

}  // namespace ipusim::gpu
