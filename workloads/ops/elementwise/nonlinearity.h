// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/ipu/cost/elementwise/nonlinearity.h"
#include "workloads/ops/placement/op_result.h"

// Nonlinearities and their gradients, with one compute set each, on tensors of one dimension and
// consecutive elements. The vendor's library has the forward pass among its operators on one
// operand. Source: graphcore/poplibs lib/popnn/NonLinearity.cpp (MIT).

namespace ipusim::workloads {

/// max(in, 0), which lies like `in`.
Tensor relu(Graph& graph, const Architecture& machine, const Tensor& in, const OpResult& out,
            Program& program);

struct NamedTensor {
  Tensor tensor;
  std::string name;  ///< of the step
};
/// Computes gelu, as approximated by a tanh, or swish in place.
void nonlinearityInPlace(Graph& graph, const Architecture& machine, models::NonLinearity function,
                         const NamedTensor& data, Program& program);

/// The gradient of the operand of a function, from the gradient of its result. `saved` is the
/// result of relu, sigmoid and tanh, and the operand of other functions. The gradient lies like
/// `saved`. An operand `gradient` that lies elsewhere is brought there.
struct NonlinearityGradient {
  models::NonLinearity function;
  Tensor gradient;
  Tensor saved;
};
Tensor nonlinearityGradient(Graph& graph, const Architecture& machine,
                            const NonlinearityGradient& operands, const OpResult& result,
                            Program& program);

}  // namespace ipusim::workloads
