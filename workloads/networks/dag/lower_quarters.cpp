// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "workloads/networks/dag/lowerings.h"
#include "workloads/networks/dag/quarters.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

using models::BinaryOp;
using models::UnaryOp;

/// 2 to the power of an exponent, as one number of `type`.
Tensor powerOfTwo(Elementwise& ops, const Tensor& exponent, ElementType type,
                  const std::string& name) {
  Tensor power = ops.unary(UnaryOp::Exponent2, exponent, name, Lifetime::Temporary);
  if (type == ElementType::Float) return power;
  return ops.cast(power, type, name + "/Cast", Lifetime::Temporary);
}

class ToQuartersLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor x = consecutive(site_.graph, site_.machine, operands.front(), step("x"), program)
                         .reshape({operands.front().elements()});
    const Tensor scale = scaleOf(x, ops, program);
    const Tensor factor = powerOfTwo(ops, scale, x.type(), step("Exponent2"));
    const Tensor scaled =
        ops.withScalar(BinaryOp::Multiply, x, factor, step("Multiply"), Lifetime::Temporary);
    const Tensor quarters = ops.cast(scaled, ElementType::Quarter, step("Cast"), site_.lifetime);
    return {quarters.reshape(site_.result), scale};
  }

 private:
  /// The largest whole number s so that the largest magnitude times 2^s is at most
  /// kMostBeforeRounding.
  Tensor scaleOf(const Tensor& x, Elementwise& ops, Program& program) {
    const Tensor absolute = ops.unary(UnaryOp::Absolute, x, step("Absolute"), Lifetime::Temporary);
    Tensor largest = reduceRows(site_.graph, site_.machine,
                                {models::ReduceOp::Maximum, absolute.reshape({x.elements(), 1})},
                                {step("max")}, program);
    if (x.type() != ElementType::Float) {
      largest = ops.cast(largest, ElementType::Float, step("max/Cast"), Lifetime::Temporary);
    }
    ops.withScalarInPlace(BinaryOp::Maximum, largest, leastMagnitude(x.type()), step("Maximum"));
    // -ceil(log2 m - log2 248) is floor(log2(248 / m)).
    Tensor scale = ops.unary(UnaryOp::Logarithm, largest, step("Logarithm"), site_.lifetime);
    ops.scaleInPlace(scale, 1 / std::log(2.0), step("scale"));
    ops.addScalarInPlace(scale, -std::log2(kMostBeforeRounding), step("Add"));
    ops.unaryInPlace(UnaryOp::Ceil, scale, step("Ceil"));
    ops.unaryInPlace(UnaryOp::Negate, scale, step("Negate"));
    return scale;
  }
};

class FromQuartersLowering final : public NodeLowering {
 public:
  FromQuartersLowering(ElementType type, NodeSite site)
      : NodeLowering(std::move(site)), type_(type) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor quarters =
        consecutive(site_.graph, site_.machine, operands[0], step("quarters"), program)
            .reshape({operands[0].elements()});
    const Tensor x = ops.cast(quarters, type_, step("Cast"), site_.lifetime);
    const Tensor inverse =
        ops.unary(UnaryOp::Negate, operands[1], step("Negate"), Lifetime::Temporary);
    const Tensor factor = powerOfTwo(ops, inverse, type_, step("Exponent2"));
    ops.withScalarInPlace(BinaryOp::Multiply, x, factor, step("Multiply"));
    return {x.reshape(site_.result)};
  }

 private:
  ElementType type_;
};

}  // namespace

NodeLoweringPointer lowerToQuarters(NodeSite site) {
  return std::make_unique<ToQuartersLowering>(std::move(site));
}

NodeLoweringPointer lowerFromQuarters(ElementType type, NodeSite site) {
  return std::make_unique<FromQuartersLowering>(type, std::move(site));
}

}  // namespace ipusim::workloads
