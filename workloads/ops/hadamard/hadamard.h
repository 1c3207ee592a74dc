// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// The Walsh-Hadamard transform of rows, not normalised. It multiplies by the matrix whose element
// (i, j) is -1 to the power of the number of ones that i and j have in common.

namespace ipusim::workloads {

/// Adds the transform of `rows`, (batch, features), to `program`, with the op sequence that the
/// PyTorch code executes. Rows are consecutive, and features is a power of two. Each of the log2
/// features stages takes the even and the odd blocks of a row, adds and subtracts them, and joins
/// both. That is two compute sets, besides the copies that lay out operands. Sums and differences
/// are computed where the even blocks lie. The joined rows are spread linearly over the tiles. The
/// result has the shape of `rows` and is consecutive.
/// Source: HazyResearch/structured-nets, hadamard_transform_torch.
Tensor addHadamard(Graph& graph, const Architecture& machine, const Tensor& rows,
                   const std::string& name, Program& program);

/// Adds the backward pass, from the gradient of the result to that of the rows, both consecutive,
/// as autograd runs it. In a stage, each of the four slices gets a gradient of the whole shape: a
/// half of the gradient, one of them negated, and zeros elsewhere. These are summed.
Tensor addHadamardGradient(Graph& graph, const Architecture& machine, const Tensor& gradient,
                           const std::string& name, Program& program);

}  // namespace ipusim::workloads
