// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/nonlinearity.h"

#include <memory>

#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {

Tensor relu(Graph& graph, const Architecture& machine, const Tensor& in, const OpResult& out,
            Program& program) {
  return Elementwise(graph, machine, program)
      .unary(models::UnaryOp::Relu, in, out.name + "/Nonlinearity", out.lifetime);
}

void nonlinearityInPlace(Graph& graph, const Architecture& machine, models::NonLinearity function,
                         const NamedTensor& data, Program& program) {
  const ElementType type = data.tensor.type();
  Elementwise(graph, machine, program)
      .add(
          {data.tensor},
          [&](const Runs& runs) {
            return nonlinearityVertex({function, type, runs});
          },
          data.name + "/Nonlinearity");
}

Tensor nonlinearityGradient(Graph& graph, const Architecture& machine,
                            const NonlinearityGradient& operands, const OpResult& result,
                            Program& program) {
  const Tensor& saved = operands.saved;
  check(operands.gradient.elements() == saved.elements(), "a gradient for each result");
  Elementwise ops(graph, machine, program);
  Tensor by_operand = ops.addLike(saved, saved.type(), result.name, result.lifetime);
  ops.add(
      {saved, operands.gradient, by_operand},
      [&](const Runs& runs) {
        return nonlinearityGradVertex({operands.function, saved.type(), runs});
      },
      result.name + "/NonLinearityGrad");
  return by_operand;
}

}  // namespace ipusim::workloads
