// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/training/sgd.h"

#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

Tensor addVelocity(Graph& graph, const Tensor& parameter, const std::string& name) {
  return addAlike(graph, parameter, parameter.type(), name, Lifetime::Always);
}

void addSgdStep(Graph& graph, const Architecture& machine, const SgdUpdate& update,
                const std::string& name, Program& program) {
  check(update.gradient.shape() == update.parameter.shape(), "a gradient like its parameter");
  check(lieAlike(graph, update.parameter, update.velocity), "a velocity like its parameter");
  const Tensor parameter = storageOf(graph, update.parameter);
  const Tensor velocity = storageOf(graph, update.velocity);
  const Tensor gradient = storageOf(
      graph, arrangedAs(graph, update.parameter, update.gradient, name + "/gradient", program));
  Elementwise ops(graph, machine, program);
  ops.scaleInPlace(velocity, update.rates.momentum, name + "/Multiply");
  ops.binaryInPlace(models::BinaryOp::Add, velocity, gradient, name + "/Add");
  ops.scaledAdd(parameter, velocity, -update.rates.learning_rate, name + "/AddTo");
}

}  // namespace ipusim::workloads
