// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "workloads/networks/dag/elementwise.h"
#include "workloads/networks/dag/lowerings.h"
#include "workloads/networks/dag/network_graph.h"

namespace ipusim::workloads {

namespace {

constexpr double kSqrt2 = 1.4142135623730951;
constexpr double kSqrt2OverPi = 0.7978845608028654;
constexpr double kInverseSqrt2Pi = 0.3989422804014327;
constexpr double kGeluCube = 0.044715;

double clamp(double x, double low, double high) {
  return std::min(std::max(x, low), high);
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

double normalBelow(double x) {
  return 0.5 * (1 + std::erf(x / kSqrt2));
}

double geluInner(double x) {
  return kSqrt2OverPi * (x + kGeluCube * x * x * x);
}

double valueOf(UnaryFunction function, double x) {
  switch (function) {
    case UnaryFunction::Relu:
      return std::max(x, 0.0);
    case UnaryFunction::Relu6:
      return clamp(x, 0, kRelu6High);
    case UnaryFunction::LeakyRelu:
      return x > 0 ? x : kLeak * x;
    case UnaryFunction::Gelu:
      return x * normalBelow(x);
    case UnaryFunction::GeluTanh:
      return 0.5 * x * (1 + std::tanh(geluInner(x)));
    case UnaryFunction::Silu:
      return x * sigmoid(x);
    case UnaryFunction::Sigmoid:
      return sigmoid(x);
    case UnaryFunction::Tanh:
      return std::tanh(x);
    case UnaryFunction::HardSigmoid:
      return clamp(kHardSlope * x + 0.5, 0, 1);
    case UnaryFunction::HardSwish:
      return x * clamp(kHardSlope * x + 0.5, 0, 1);
    case UnaryFunction::Exponent:
      return std::exp(x);
    case UnaryFunction::Logarithm:
      return std::log(x);
    case UnaryFunction::SquareRoot:
      return std::sqrt(x);
    case UnaryFunction::Reciprocal:
      return 1 / x;
    case UnaryFunction::Negate:
      return -x;
    case UnaryFunction::Absolute:
      return std::abs(x);
    case UnaryFunction::ErrorFunction:
      return std::erf(x);
  }
  return 0;
}

/// Whether the slope is computed from the result instead of the operand.
bool hasSlopeOfResult(UnaryFunction function) {
  switch (function) {
    case UnaryFunction::Sigmoid:
    case UnaryFunction::Tanh:
    case UnaryFunction::Exponent:
    case UnaryFunction::SquareRoot:
    case UnaryFunction::Reciprocal:
    case UnaryFunction::Relu:
    case UnaryFunction::Relu6:
    case UnaryFunction::LeakyRelu:
    case UnaryFunction::HardSigmoid:
      return true;
    default:
      return false;
  }
}

double slopeByResult(UnaryFunction function, double y) {
  switch (function) {
    case UnaryFunction::Sigmoid:
      return y * (1 - y);
    case UnaryFunction::Tanh:
      return 1 - y * y;
    case UnaryFunction::Exponent:
      return y;
    case UnaryFunction::SquareRoot:
      return 0.5 / y;
    case UnaryFunction::Reciprocal:
      return -y * y;
    case UnaryFunction::Relu6:
      return y > 0 && y < kRelu6High ? 1 : 0;
    case UnaryFunction::LeakyRelu:
      return y > 0 ? 1 : kLeak;
    case UnaryFunction::HardSigmoid:
      return y > 0 && y < 1 ? kHardSlope : 0;
    default:
      return y > 0 ? 1 : 0;  // relu
  }
}

double geluTanhSlope(double x) {
  const double t = std::tanh(geluInner(x));
  const double inner_slope = kSqrt2OverPi * (1 + 3 * kGeluCube * x * x);
  return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * inner_slope;
}

double hardSwishSlope(double x) {
  if (x <= -3) return 0;
  return x >= 3 ? 1 : 2 * kHardSlope * x + 0.5;
}

double slopeByOperand(UnaryFunction function, double x) {
  switch (function) {
    case UnaryFunction::Gelu:
      return normalBelow(x) + x * kInverseSqrt2Pi * std::exp(-x * x / 2);
    case UnaryFunction::GeluTanh:
      return geluTanhSlope(x);
    case UnaryFunction::Silu:
      return sigmoid(x) * (1 + x * (1 - sigmoid(x)));
    case UnaryFunction::HardSwish:
      return hardSwishSlope(x);
    case UnaryFunction::Logarithm:
      return 1 / x;
    case UnaryFunction::Negate:
      return -1;
    case UnaryFunction::Absolute:
      return x > 0 ? 1 : -1;
    default:
      return kTwoOverSqrtPi * std::exp(-x * x);  // erf
  }
}

/// dx = dy f'(x), from (saved, dy); `saved` is x or y.
class UnaryGradient final : public Operation {
 public:
  explicit UnaryGradient(UnaryFunction function) : function_(function) {}
  [[nodiscard]] std::string kind() const override {
    return std::string(wordOf(function_, kUnaryFunctions)) + "_gradient";
  }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {operands[1]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[1], 2);
  }
  [[nodiscard]] OperandNeed needOf(std::size_t operand) const override {
    const bool has_sign_slope =
        function_ == UnaryFunction::Relu || function_ == UnaryFunction::LeakyRelu;
    return operand == 0 && has_sign_slope ? OperandNeed::Sign : OperandNeed::Value;
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerUnaryGradient(function_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[1].values;
    for (std::size_t e = 0; e < result.size(); ++e) {
      const double saved = operands[0].values[e];
      result[e] *= hasSlopeOfResult(function_) ? slopeByResult(function_, saved)
                                               : slopeByOperand(function_, saved);
    }
    return {std::move(result)};
  }

 private:
  UnaryFunction function_;
};

class Unary final : public Operation {
 public:
  explicit Unary(UnaryFunction function) : function_(function) {}
  [[nodiscard]] std::string kind() const override { return wordOf(function_, kUnaryFunctions); }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const NetworkTensorId saved =
        hasSlopeOfResult(function_) ? site.results.front() : site.operands.front();
    return {site.graph.add(site.name, std::make_shared<UnaryGradient>(function_),
                           {saved, *site.result_gradients.front()})};
  }
  [[nodiscard]] bool hasDomain() const override {
    return function_ == UnaryFunction::Exponent || function_ == UnaryFunction::Logarithm ||
           function_ == UnaryFunction::SquareRoot || function_ == UnaryFunction::Reciprocal;
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerUnary(function_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[0].values;
    for (double& value : result) value = valueOf(function_, value);
    return {std::move(result)};
  }

 private:
  UnaryFunction function_;
};

}  // namespace

OperationPointer unary(UnaryFunction function) {
  return std::make_shared<Unary>(function);
}

}  // namespace ipusim::workloads
