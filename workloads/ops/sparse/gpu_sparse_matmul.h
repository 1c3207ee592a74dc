// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ipusim/element_type.h"
#include "models/gpu/program.h"
#include "workloads/ops/sparse/pattern.h"

namespace ipusim::workloads {

/// A sparse matrix times a dense one, [columns of the pattern, n]. The sparse matrix has compressed
/// rows, or blocks when their edge is at least 4. There is none for halves: the kernels are
/// modelled in FP32 only.
std::optional<gpu::Program> gpuSparseMatmul(ElementType type, const SparsePattern& pattern,
                                            std::uint64_t n);

}  // namespace ipusim::workloads
