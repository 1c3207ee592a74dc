// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/unary_steps.h"

#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/ops/elementwise/nonlinearity.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

using models::BinaryOp;

UnarySteps::UnarySteps(const NodeSite& site, const UnaryTensors& tensors, Program& program)
    : site_(site),
      program_(program),
      like_(tensors.saved),
      saved_(storageOf(site.graph, tensors.saved)),
      gradient_(storageOf(site.graph, tensors.gradient)),
      ops_(site.graph, site.machine, program) {}

Tensor UnarySteps::result(const Tensor& storage) const {
  return placedAs(like_, storage);
}

Tensor UnarySteps::byOperator(models::UnaryOp op) {
  return result(ops_.unary(op, saved_, name("Nonlinearity"), site_.lifetime));
}

Tensor UnarySteps::byNonlinearity(models::NonLinearity function) {
  Tensor y = addAlike(site_.graph, like_, like_.type(), name("y"), site_.lifetime);
  program_.add(site_.graph.copy(like_, y, name("Copy")));
  nonlinearityInPlace(site_.graph, site_.machine, function, {storageOf(site_.graph, y), site_.name},
                      program_);
  return y;
}

Tensor UnarySteps::gradientByNonlinearity(models::NonLinearity function) {
  return result(nonlinearityGradient(site_.graph, site_.machine, {function, gradient_, saved_},
                                     {site_.name, site_.lifetime}, program_));
}

Tensor UnarySteps::withGradient(BinaryOp op, const Tensor& right) {
  return ops_.binary(op, gradient_, right, name("gradient"), site_.lifetime);
}

Tensor UnarySteps::slope(models::UnaryOp op) {
  return ops_.unary(op, saved_, name("slope"), Lifetime::Temporary);
}

Tensor UnarySteps::scaled(Tensor tensor, double factor) {
  ops_.scaleInPlace(tensor, factor, name("Multiply"));
  return tensor;
}

Tensor UnarySteps::hardSigmoid(const Tensor& x, Lifetime lifetime) {
  Tensor y = ops_.scale(x, kHardSlope, name("Multiply"), lifetime);
  ops_.addScalarInPlace(y, 0.5, name("Add"));
  ops_.unaryInPlace(models::UnaryOp::Relu, y, name("Relu"));
  ops_.withScalarInPlace(BinaryOp::Minimum, y, 1, name("Minimum"));
  return y;
}

Tensor UnarySteps::between(const Tensor& bounded, double high, const Tensor& values,
                           Lifetime lifetime) {
  const Tensor room =
      ops_.unary(models::UnaryOp::Negate, bounded, name("room"), Lifetime::Temporary);
  ops_.addScalarInPlace(room, high, name("room/Add"));
  const Tensor below = whereAbove(room, values, "below", Lifetime::Temporary);
  return whereAbove(bounded, below, "between", lifetime);
}

Tensor UnarySteps::whereAbove(const Tensor& bounded, const Tensor& values, const char* part,
                              Lifetime lifetime) {
  return nonlinearityGradient(site_.graph, site_.machine,
                              {models::NonLinearity::Relu, values, bounded}, {name(part), lifetime},
                              program_);
}

}  // namespace ipusim::workloads
