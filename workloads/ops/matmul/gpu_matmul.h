// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "models/gpu/program.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

/// Products one after the other by the vendor's library of a GPU. Every operand and result is alive
/// together. `problems` must not be empty. None for operands that are neither float nor half.
std::optional<gpu::Program> gpuMatmuls(const std::vector<MatmulProblem>& problems);

/// One float product by a kernel that a user wrote, with one thread per element of the result.
gpu::Program gpuThreadMatmul(const MatmulProblem& problem, gpu::Staging staging);

}  // namespace ipusim::workloads
