// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/networks/operations/elementwise/unary_steps.h"
#include "workloads/vertices/elementwise/operators.h"

namespace ipusim::workloads {

namespace {

using models::BinaryOp;
using models::NonLinearity;
using models::UnaryOp;

constexpr double kSqrt2 = 1.4142135623730951;
constexpr double kSqrt2OverPi = 0.7978845608028654;
constexpr double kInverseSqrt2Pi = 0.3989422804014327;
constexpr double kTwoOverSqrtPi = 1.1283791670955126;  // the slope of erf at 0
constexpr double kGeluCube = 0.044715;

double clamp(double x, double low, double high) {
  return std::min(std::max(x, low), high);
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

double hardSigmoid(double x) {
  return clamp(kHardSlope * x + 0.5, 0, 1);
}

double normalBelow(double x) {
  return 0.5 * (1 + std::erf(x / kSqrt2));
}

double geluInner(double x) {
  return kSqrt2OverPi * (x + kGeluCube * x * x * x);
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

template <UnaryOp Op>
Tensor byOperator(UnarySteps& steps) {
  return steps.byOperator(Op);
}

template <NonLinearity Function>
Tensor byNonlinearity(UnarySteps& steps) {
  return steps.byNonlinearity(Function);
}

template <NonLinearity Function>
Tensor gradientBy(UnarySteps& steps) {
  return steps.gradientByNonlinearity(Function);
}

/// The gradient times, or divided by, what was saved.
template <BinaryOp Op>
Tensor gradientWithSaved(UnarySteps& steps) {
  return steps.result(steps.withGradient(Op, steps.saved()));
}

Tensor lowerRelu6(UnarySteps& s) {
  Tensor y = s.ops().unary(UnaryOp::Relu, s.x(), s.name("Relu"), s.lifetime());
  s.ops().withScalarInPlace(BinaryOp::Minimum, y, kRelu6High, s.name("Minimum"));
  return s.result(y);
}

Tensor lowerRelu6Gradient(UnarySteps& s) {
  return s.result(s.between(s.saved(), kRelu6High, s.gradient(), s.lifetime()));
}

Tensor lowerLeakyRelu(UnarySteps& s) {
  Tensor y = s.ops().scale(s.x(), kLeak, s.name("Multiply"), s.lifetime());
  s.ops().binaryInPlace(BinaryOp::Maximum, y, s.x(), s.name("Maximum"));
  return s.result(y);
}

Tensor lowerLeakyReluGradient(UnarySteps& s) {
  Tensor dx = s.ops().scale(s.gradient(), kLeak, s.name("Multiply"), s.lifetime());
  const Tensor above = s.whereAbove(s.saved(), s.gradient(), "above", Lifetime::Temporary);
  s.ops().scaledAdd(dx, above, 1 - kLeak, s.name("Add"));
  return s.result(dx);
}

Tensor lowerHardSigmoid(UnarySteps& s) {
  return s.result(s.hardSigmoid(s.x(), s.lifetime()));
}

Tensor lowerHardSigmoidGradient(UnarySteps& s) {
  return s.result(s.scaled(s.between(s.saved(), 1, s.gradient(), s.lifetime()), kHardSlope));
}

Tensor lowerHardSwish(UnarySteps& s) {
  Tensor y = s.hardSigmoid(s.x(), s.lifetime());
  s.ops().binaryInPlace(BinaryOp::Multiply, y, s.x(), s.name("Multiply_by_x"));
  return s.result(y);
}

/// dy s(x) + dy x s'(x), where s is the hard sigmoid.
Tensor lowerHardSwishGradient(UnarySteps& s) {
  Tensor dx = s.hardSigmoid(s.saved(), s.lifetime());
  const Tensor product = s.ops().binary(BinaryOp::Multiply, s.gradient(), s.saved(),
                                        s.name("Multiply_by_x"), Lifetime::Temporary);
  const Tensor bent = s.between(dx, 1, product, Lifetime::Temporary);
  s.ops().binaryInPlace(BinaryOp::Multiply, dx, s.gradient(), s.name("Multiply_by_gradient"));
  s.ops().scaledAdd(dx, bent, kHardSlope, s.name("Add_bent"));
  return s.result(dx);
}

/// 1 + |x|.
Tensor softsignDivisor(UnarySteps& s) {
  Tensor divisor = s.slope(UnaryOp::Absolute);
  s.ops().withScalarInPlace(BinaryOp::Add, divisor, 1, s.name("Add"));
  return divisor;
}

Tensor lowerSoftsign(UnarySteps& s) {
  return s.result(
      s.ops().binary(BinaryOp::Divide, s.x(), softsignDivisor(s), s.name("Divide"), s.lifetime()));
}

Tensor lowerSoftsignGradient(UnarySteps& s) {
  Tensor square = softsignDivisor(s);
  s.ops().unaryInPlace(UnaryOp::Square, square, s.name("slope/Square"));
  return s.result(s.withGradient(BinaryOp::Divide, square));
}

Tensor lowerSquareRootGradient(UnarySteps& s) {
  return s.result(s.scaled(s.withGradient(BinaryOp::Divide, s.saved()), 0.5));
}

Tensor lowerReciprocalGradient(UnarySteps& s) {
  return s.result(s.scaled(s.withGradient(BinaryOp::Multiply, s.slope(UnaryOp::Square)), -1));
}

Tensor lowerNegateGradient(UnarySteps& s) {
  return s.result(s.ops().unary(UnaryOp::Negate, s.gradient(), s.name("Negate"), s.lifetime()));
}

Tensor lowerAbsoluteGradient(UnarySteps& s) {
  return s.result(s.withGradient(BinaryOp::Multiply, s.slope(UnaryOp::Signum)));
}

/// 2 / sqrt(pi) exp(-x^2)
Tensor lowerErrorFunctionGradient(UnarySteps& s) {
  Tensor bell = s.slope(UnaryOp::Square);
  s.ops().unaryInPlace(UnaryOp::Negate, bell, s.name("slope/Negate"));
  s.ops().unaryInPlace(UnaryOp::Exponent, bell, s.name("slope/Exponent"));
  return s.result(s.scaled(s.withGradient(BinaryOp::Multiply, bell), kTwoOverSqrtPi));
}

Tensor lowerSineGradient(UnarySteps& s) {
  return s.result(s.withGradient(BinaryOp::Multiply, s.slope(UnaryOp::Cos)));
}

/// dy / (1 + x)
Tensor lowerLogOnePlusGradient(UnarySteps& s) {
  Tensor divisor =
      s.ops().withScalar(BinaryOp::Add, s.saved(), 1, s.name("slope/Add"), Lifetime::Temporary);
  return s.result(s.withGradient(BinaryOp::Divide, divisor));
}

Tensor lowerCosineGradient(UnarySteps& s) {
  return s.result(s.scaled(s.withGradient(BinaryOp::Multiply, s.slope(UnaryOp::Sin)), -1));
}

/// 1 + tan(x)^2, of the result.
Tensor lowerTangentGradient(UnarySteps& s) {
  Tensor square = s.slope(UnaryOp::Square);
  s.ops().withScalarInPlace(BinaryOp::Add, square, 1, s.name("slope/Add"));
  return s.result(s.withGradient(BinaryOp::Multiply, square));
}

/// 1 / sqrt(1 - x^2)
Tensor lowerArcSineGradient(UnarySteps& s) {
  Tensor root = s.slope(UnaryOp::Square);
  s.ops().unaryInPlace(UnaryOp::Negate, root, s.name("slope/Negate"));
  s.ops().withScalarInPlace(BinaryOp::Add, root, 1, s.name("slope/Add"));
  s.ops().unaryInPlace(UnaryOp::Sqrt, root, s.name("slope/Sqrt"));
  return s.result(s.withGradient(BinaryOp::Divide, root));
}

/// Steps have no slope.
Tensor lowerFlatGradient(UnarySteps& s) {
  return s.result(s.ops().scale(s.gradient(), 0, s.name("Zero"), s.lifetime()));
}

constexpr bool kEverywhere = false;

/// What texts of networks and ONNX call a function.
struct Names {
  const char* word;
  const char* onnx;
};

/// What is known of the slope of a function.
struct Slope {
  SlopeOf of;
  double (*value)(double);
  Tensor (*lower)(UnarySteps&);
};

/// A function that is an operator of vertices.
template <UnaryOp Op>
UnaryRow operatorRow(UnaryFunction function, const Names& names, const Slope& slope) {
  const UnaryOperator& row = operatorOf(Op);
  return {function,
          names.word,
          names.onnx,
          row.value,
          slope.of,
          slope.value,
          row.domain != Domain::All,
          byOperator<Op>,
          slope.lower};
}

std::vector<UnaryRow> activationRows() {
  return {
      operatorRow<UnaryOp::Relu>(UnaryFunction::Relu, {"relu", "Relu"},
                                 {SlopeOf::ResultSign, [](double y) { return y > 0 ? 1.0 : 0.0; },
                                  gradientBy<NonLinearity::Relu>}),
      UnaryRow{UnaryFunction::Relu6, "relu6", "", [](double x) { return clamp(x, 0, kRelu6High); },
               SlopeOf::Result, [](double y) { return y > 0 && y < kRelu6High ? 1.0 : 0.0; },
               kEverywhere, lowerRelu6, lowerRelu6Gradient},
      UnaryRow{UnaryFunction::LeakyRelu, "leaky_relu", "",
               [](double x) { return x > 0 ? x : kLeak * x; }, SlopeOf::ResultSign,
               [](double y) { return y > 0 ? 1.0 : kLeak; }, kEverywhere, lowerLeakyRelu,
               lowerLeakyReluGradient},
      operatorRow<UnaryOp::GeluErf>(
          UnaryFunction::Gelu, {"gelu", ""},
          {SlopeOf::Operand,
           [](double x) { return normalBelow(x) + x * kInverseSqrt2Pi * std::exp(-x * x / 2); },
           gradientBy<NonLinearity::GeluErf>}),
      UnaryRow{UnaryFunction::GeluTanh, "gelu_tanh", "",
               [](double x) { return 0.5 * x * (1 + std::tanh(geluInner(x))); }, SlopeOf::Operand,
               geluTanhSlope, kEverywhere, byNonlinearity<NonLinearity::Gelu>,
               gradientBy<NonLinearity::Gelu>},
      UnaryRow{UnaryFunction::Silu, "silu", "", [](double x) { return x * sigmoid(x); },
               SlopeOf::Operand, [](double x) { return sigmoid(x) * (1 + x * (1 - sigmoid(x))); },
               kEverywhere, byNonlinearity<NonLinearity::Swish>, gradientBy<NonLinearity::Swish>},
      operatorRow<UnaryOp::Sigmoid>(UnaryFunction::Sigmoid, {"sigmoid", "Sigmoid"},
                                    {SlopeOf::Result, [](double y) { return y * (1 - y); },
                                     gradientBy<NonLinearity::Sigmoid>}),
      operatorRow<UnaryOp::Tanh>(
          UnaryFunction::Tanh, {"tanh", "Tanh"},
          {SlopeOf::Result, [](double y) { return 1 - y * y; }, gradientBy<NonLinearity::Tanh>}),
      UnaryRow{UnaryFunction::HardSigmoid, "hard_sigmoid", "", hardSigmoid, SlopeOf::Result,
               [](double y) { return y > 0 && y < 1 ? kHardSlope : 0.0; }, kEverywhere,
               lowerHardSigmoid, lowerHardSigmoidGradient},
      UnaryRow{UnaryFunction::HardSwish, "hard_swish", "HardSwish",
               [](double x) { return x * hardSigmoid(x); }, SlopeOf::Operand, hardSwishSlope,
               kEverywhere, lowerHardSwish, lowerHardSwishGradient},
      UnaryRow{UnaryFunction::Softsign, "softsign", "Softsign",
               [](double x) { return x / (1 + std::abs(x)); }, SlopeOf::Operand,
               [](double x) { return 1 / ((1 + std::abs(x)) * (1 + std::abs(x))); }, kEverywhere,
               lowerSoftsign, lowerSoftsignGradient},
  };
}

std::vector<UnaryRow> arithmeticRows() {
  return {
      operatorRow<UnaryOp::Exponent>(
          UnaryFunction::Exponent, {"exp", "Exp"},
          {SlopeOf::Result, [](double y) { return y; }, gradientWithSaved<BinaryOp::Multiply>}),
      operatorRow<UnaryOp::Logarithm>(
          UnaryFunction::Logarithm, {"log", "Log"},
          {SlopeOf::Operand, [](double x) { return 1 / x; }, gradientWithSaved<BinaryOp::Divide>}),
      operatorRow<UnaryOp::LogarithmOnePlus>(
          UnaryFunction::LogOnePlus, {"log1p", ""},
          {SlopeOf::Operand, [](double x) { return 1 / (1 + x); }, lowerLogOnePlusGradient}),
      operatorRow<UnaryOp::Sqrt>(
          UnaryFunction::SquareRoot, {"sqrt", "Sqrt"},
          {SlopeOf::Result, [](double y) { return 0.5 / y; }, lowerSquareRootGradient}),
      operatorRow<UnaryOp::Inverse>(
          UnaryFunction::Reciprocal, {"reciprocal", "Reciprocal"},
          {SlopeOf::Result, [](double y) { return -y * y; }, lowerReciprocalGradient}),
      operatorRow<UnaryOp::Negate>(
          UnaryFunction::Negate, {"negate", "Neg"},
          {SlopeOf::Operand, [](double /*x*/) { return -1.0; }, lowerNegateGradient}),
      operatorRow<UnaryOp::Absolute>(
          UnaryFunction::Absolute, {"abs", "Abs"},
          {SlopeOf::Operand, [](double x) { return x > 0 ? 1.0 : -1.0; }, lowerAbsoluteGradient}),
      operatorRow<UnaryOp::Erf>(
          UnaryFunction::ErrorFunction, {"erf", "Erf"},
          {SlopeOf::Operand, [](double x) { return kTwoOverSqrtPi * std::exp(-x * x); },
           lowerErrorFunctionGradient}),
  };
}

double flatSlope(double /*x*/) {
  return 0;
}

std::vector<UnaryRow> trigonometricRows() {
  return {
      operatorRow<UnaryOp::Sin>(
          UnaryFunction::Sine, {"sin", "Sin"},
          {SlopeOf::Operand, [](double x) { return std::cos(x); }, lowerSineGradient}),
      operatorRow<UnaryOp::Cos>(
          UnaryFunction::Cosine, {"cos", "Cos"},
          {SlopeOf::Operand, [](double x) { return -std::sin(x); }, lowerCosineGradient}),
      operatorRow<UnaryOp::Tan>(
          UnaryFunction::Tangent, {"tan", "Tan"},
          {SlopeOf::Result, [](double y) { return 1 + y * y; }, lowerTangentGradient}),
      operatorRow<UnaryOp::Asin>(
          UnaryFunction::ArcSine, {"asin", "Asin"},
          {SlopeOf::Operand, [](double x) { return 1 / std::sqrt(1 - x * x); },
           lowerArcSineGradient}),
  };
}

std::vector<UnaryRow> roundingRows() {
  const Slope flat{SlopeOf::Operand, flatSlope, lowerFlatGradient};
  return {
      operatorRow<UnaryOp::Floor>(UnaryFunction::Floor, {"floor", "Floor"}, flat),
      operatorRow<UnaryOp::Ceil>(UnaryFunction::Ceiling, {"ceil", "Ceil"}, flat),
      operatorRow<UnaryOp::NearbyInt>(UnaryFunction::Round, {"round", "Round"}, flat),
      operatorRow<UnaryOp::Signum>(UnaryFunction::Sign, {"sign", "Sign"}, flat),
  };
}

std::vector<UnaryRow> allUnaryRows() {
  std::vector<UnaryRow> rows;
  for (const auto& some :
       {activationRows(), arithmeticRows(), trigonometricRows(), roundingRows()}) {
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

}  // namespace

const std::vector<UnaryRow>& unaryRows() {
  static const std::vector<UnaryRow> kRows = allUnaryRows();
  return kRows;
}

}  // namespace ipusim::workloads
