// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/quarters.h"

#include <algorithm>
#include <cmath>

#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/vertices/number.h"

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

// A magnitude, its maximum and a product; and a product. Casts do not count.
constexpr std::uint64_t kEncodeFlops = 3;
constexpr std::uint64_t kDecodeFlops = 1;

class ToQuarters final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "to_quarters"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    if (!isFloating(operands[0].type)) {
      throw OperandError("halves or floats", nameOf(operands[0].type));
    }
    return {{operands[0].shape, ElementType::Quarter}, {{1}, ElementType::Float}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kEncodeFlops);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ToQuartersLowering>(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues quarters = operands[0].values;
    double largest = leastMagnitude(operands[0].type.type);
    for (const double value : quarters) largest = std::max(largest, std::abs(value));
    // An infinite magnitude has no scale; no finite one of a float needs more.
    constexpr double kMostScale = 128;
    const double scale =
        std::max(-kMostScale, std::floor(std::log2(kMostBeforeRounding / largest)));
    for (double& value : quarters) {
      const double scaled = std::ldexp(value, static_cast<int>(scale));
      value = static_cast<double>(Quarter(static_cast<float>(scaled)));
    }
    return {std::move(quarters), {scale}};
  }
  [[nodiscard]] bool choosesLevels() const override { return true; }
};

class FromQuarters final : public Operation {
 public:
  explicit FromQuarters(ElementType type) : type_(type) {}
  [[nodiscard]] std::string kind() const override { return "from_quarters"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {{operands[0].shape, type_}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kDecodeFlops);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<FromQuartersLowering>(type_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues values = operands[0].values;
    const double scale = operands[1].values.front();
    for (double& value : values) value = std::ldexp(value, -static_cast<int>(scale));
    return {std::move(values)};
  }

 private:
  ElementType type_;
};

}  // namespace

double leastMagnitude(ElementType type) {
  constexpr double kOfFloats = 0x1p-100;
  constexpr double kOfHalves = 0x1p-8;  // times 2^15, the largest power of two that is a half
  return type == ElementType::Half ? kOfHalves : kOfFloats;
}

OperationPointer toQuarters() {
  return std::make_shared<ToQuarters>();
}

OperationPointer fromQuarters(ElementType type) {
  return std::make_shared<FromQuarters>(type);
}

}  // namespace ipusim::workloads
