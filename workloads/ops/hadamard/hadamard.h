// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"

// The Walsh-Hadamard transform of rows, not normalised: times the matrix whose element (i, j) is -1
// to the number of ones that i and j have in common.

namespace ipusim::workloads {

/// Adds the transform of `rows`, (batch, features), consecutive, features a power of two, to
/// `program` as the op sequence of the PyTorch code executes: log2 features stages that each take
/// the even and the odd blocks of a row, add and subtract them, and join both: two compute sets
/// beside the copies that lay operands out. Sums and differences come about where the even blocks
/// lie; what is joined is spread linearly over the tiles. The result is of the same shape,
/// consecutive. Source: HazyResearch/structured-nets, hadamard_transform_torch.
Tensor addHadamard(Graph& graph, const Architecture& machine, const Tensor& rows,
                   const std::string& name, Program& program);

/// Adds the backward pass, from the gradient of the result to that of the rows, both consecutive,
/// as autograd runs it. In a stage each of the four slices taken is given a gradient of the whole
/// shape: a half of the gradient, one of them negated, and zeros elsewhere; they are added up.
Tensor addHadamardGradient(Graph& graph, const Architecture& machine, const Tensor& gradient,
                           const std::string& name, Program& program);

}  // namespace ipusim::workloads
