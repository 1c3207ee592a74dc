// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/ops/placement/op_result.h"

// Relu and its gradient, with one compute set each, on tensors of one dimension and consecutive
// elements. The vendor's library has the forward pass among its operators on one operand.
// Source: graphcore/poplibs lib/popnn/NonLinearity.cpp (MIT).

namespace ipusim::workloads {

/// max(in, 0), which lies like `in`.
Tensor relu(Graph& graph, const Architecture& machine, const Tensor& in, const OpResult& out,
            Program& program);

/// The gradient of the input of a relu with the result `output`, from the gradient of that result.
/// It lies like `output`. A `gradient` that lies elsewhere is brought there.
struct ReluGradient {
  Tensor gradient;
  Tensor output;
};
Tensor reluGradient(Graph& graph, const Architecture& machine, const ReluGradient& operands,
                    const std::string& name, Program& program);

}  // namespace ipusim::workloads
