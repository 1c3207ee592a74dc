// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "workloads/networks/dag/binary_lowering.h"
#include "workloads/networks/dag/elementwise.h"
#include "workloads/networks/dag/indexing.h"
#include "workloads/networks/dag/network_graph.h"
#include "workloads/networks/dag/node_lowering.h"
#include "workloads/networks/dag/reduction.h"

namespace ipusim::workloads {

namespace {

double valueOf(BinaryFunction function, double a, double b) {
  switch (function) {
    case BinaryFunction::Add:
      return a + b;
    case BinaryFunction::Subtract:
      return a - b;
    case BinaryFunction::Multiply:
      return a * b;
    case BinaryFunction::Divide:
      return a / b;
    case BinaryFunction::Power:
      return std::pow(a, b);
  }
  return 0;
}

/// b a^(b-1) dy from (a, b, dy).
class PowerGradient final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "power_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 3);
    expectOneType(operands, 0, 3);
    return {operands[2]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    constexpr std::uint64_t kOperations = 4;  // a difference, a power and two products
    return elementwiseFlops(operands[2], kOperations);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerPowerGradient(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const Shape& shape = operands[2].type.shape;
    const auto bases = broadcastSources(operands[0].type.shape, shape);
    const auto exponents = broadcastSources(operands[1].type.shape, shape);
    TensorValues result = operands[2].values;
    for (std::size_t e = 0; e < result.size(); ++e) {
      const double exponent = operands[1].values[exponents[e]];
      // a^0 is 1 for all a, also where a^-1 is infinite.
      result[e] *=
          exponent == 0 ? 0 : exponent * std::pow(operands[0].values[bases[e]], exponent - 1);
    }
    return {std::move(result)};
  }
};

/// Builds the nodes of one gradient of a binary operation.
class BinaryGradient {
 public:
  explicit BinaryGradient(const GradientSite& site)
      : site_(site), gradient_(*site.result_gradients.front()) {}

  [[nodiscard]] NetworkTensorId ofLeft(BinaryFunction function) {
    switch (function) {
      case BinaryFunction::Multiply:
        return combine(BinaryFunction::Multiply, gradient_, right());
      case BinaryFunction::Divide:
        return combine(BinaryFunction::Divide, gradient_, right());
      case BinaryFunction::Power:
        return site_.graph.add(site_.name + "/power", std::make_shared<PowerGradient>(),
                               {left(), right(), gradient_});
      default:
        return gradient_;
    }
  }

  [[nodiscard]] NetworkTensorId ofRight(BinaryFunction function) {
    switch (function) {
      case BinaryFunction::Subtract:
        return negated(gradient_);
      case BinaryFunction::Multiply:
        return combine(BinaryFunction::Multiply, gradient_, left());
      case BinaryFunction::Divide:  // -dy y / b
        return negated(combine(BinaryFunction::Divide,
                               combine(BinaryFunction::Multiply, gradient_, site_.results.front()),
                               right()));
      default:
        return gradient_;
    }
  }

 private:
  [[nodiscard]] NetworkTensorId left() const { return site_.operands[0]; }
  [[nodiscard]] NetworkTensorId right() const { return site_.operands[1]; }

  NetworkTensorId combine(BinaryFunction function, NetworkTensorId a, NetworkTensorId b) {
    return site_.graph.add(site_.name + "/" + wordOf(function, kBinaryFunctions), binary(function),
                           {a, b});
  }
  NetworkTensorId negated(NetworkTensorId a) {
    return site_.graph.add(site_.name + "/negate", unary(UnaryFunction::Negate), {a});
  }

  const GradientSite& site_;
  NetworkTensorId gradient_;
};

class Binary final : public Operation {
 public:
  explicit Binary(BinaryFunction function) : function_(function) {}
  [[nodiscard]] std::string kind() const override { return wordOf(function_, kBinaryFunctions); }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    expectOneType(operands, 0, 2);
    return {{broadcastShape(operands[0].shape, operands[1].shape), operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(infer(operands).front());
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    OperandGradients gradients(2);
    BinaryGradient gradient(site);
    if (site.wanted[0])
      gradients[0] = sumOverCopies(site, site.operandType(0).shape, gradient.ofLeft(function_));
    const bool is_constant = function_ == BinaryFunction::Power;
    if (site.wanted[1] && !is_constant)
      gradients[1] = sumOverCopies(site, site.operandType(1).shape, gradient.ofRight(function_));
    return gradients;
  }
  [[nodiscard]] bool hasDomain() const override {
    return function_ == BinaryFunction::Divide || function_ == BinaryFunction::Power;
  }
  [[nodiscard]] bool mayOverwrite() const override { return function_ == BinaryFunction::Add; }
  [[nodiscard]] bool takesWhole() const override { return function_ != BinaryFunction::Power; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerBinary(function_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const Shape shape = broadcastShape(operands[0].type.shape, operands[1].type.shape);
    const auto left = broadcastSources(operands[0].type.shape, shape);
    const auto right = broadcastSources(operands[1].type.shape, shape);
    TensorValues result(left.size());
    for (std::size_t e = 0; e < result.size(); ++e) {
      result[e] = valueOf(function_, operands[0].values[left[e]], operands[1].values[right[e]]);
    }
    // A quotient of whole numbers is one.
    const bool is_whole = operands[0].type.type == ElementType::UInt32;
    if (is_whole && function_ == BinaryFunction::Divide) {
      for (double& value : result) value = std::trunc(value);
    }
    return {std::move(result)};
  }

 private:
  BinaryFunction function_;
};

}  // namespace

OperationPointer binary(BinaryFunction function) {
  return std::make_shared<Binary>(function);
}

}  // namespace ipusim::workloads
