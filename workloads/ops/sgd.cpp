// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sgd.h"

#include "sim/base/error.h"
#include "workloads/ops/arrange.h"
#include "workloads/ops/elementwise.h"

namespace ipusim::workloads {

Tensor addVelocity(Graph& graph, const Tensor& parameter, const std::string& name) {
  return addAlike(graph, parameter, parameter.type(), name, Lifetime::Always);
}

void addSgdStep(Graph& graph, const models::Machine& machine, const SgdTensors& tensors,
                const SgdRates& rates, const std::string& name, Program& program) {
  check(tensors.gradient.shape() == tensors.parameter.shape(),
        "a gradient of the shape of its parameter");
  const Tensor parameter = storageOf(graph, tensors.parameter);
  const Tensor velocity = storageOf(graph, tensors.velocity);
  const Tensor gradient = storageOf(
      graph, arrangedAs(graph, tensors.parameter, tensors.gradient, name + "/Copy", program));
  Elementwise ops(graph, machine, program);
  ops.scaleInPlace(velocity, rates.momentum, name + "/Multiply");
  ops.binaryInPlace(models::BinaryOp::Add, velocity, gradient, name + "/Add");
  ops.scaledAdd(parameter, velocity, -rates.learning_rate, name + "/AddTo");
}

}  // namespace ipusim::workloads
