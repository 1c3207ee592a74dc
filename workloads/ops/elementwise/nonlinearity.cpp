// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/nonlinearity.h"

#include <memory>

#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/vertices/elementwise.h"

namespace ipusim::workloads {

Tensor relu(Graph& graph, const Architecture& machine, const Tensor& in, const OpResult& out,
            Program& program) {
  return Elementwise(graph, machine, program)
      .unary(models::UnaryOp::Relu, in, out.name + "/Nonlinearity", out.lifetime);
}

Tensor reluGradient(Graph& graph, const Architecture& machine, const ReluGradient& operands,
                    const std::string& name, Program& program) {
  const Tensor& output = operands.output;
  check(operands.gradient.elements() == output.elements(), "a gradient for each output of a relu");
  Elementwise ops(graph, machine, program);
  Tensor result = ops.addLike(output, output.type(), name, Lifetime::Temporary);
  ops.add(
      {output, operands.gradient, result},
      [&](const Runs& runs) {
        return reluGradVertex({output.type(), runs});
      },
      name + "/NonLinearityGrad");
  return result;
}

}  // namespace ipusim::workloads
