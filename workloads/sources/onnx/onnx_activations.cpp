// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/number_operand.h"
#include "workloads/sources/onnx/onnx_math.h"

// Functions of one element that are made of several. Definitions: github.com/onnx/onnx,
// docs/Operators.md.

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

bool isAbout(double value, double wanted) {
  return std::abs(value - wanted) <= 1e-4;
}

NetworkTensorId exponentMinusOne(const OnnxMath& math, NetworkTensorId x) {
  return math.plus("less_one", math.unary("exponent", UnaryFunction::Exponent, x), -1);
}

/// gamma (max(x, 0) + alpha (exp(min(x, 0) / divisor) - 1))
NetworkTensorId exponentialUnit(const OnnxSite& site, double alpha, double gamma, double divisor) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId below = math.number("below", BinaryOp::Minimum, x, 0);
  const NetworkTensorId bent = exponentMinusOne(math, math.times("divided", below, 1 / divisor));
  const NetworkTensorId above = math.unary("above", UnaryFunction::Relu, x);
  return math.binary("", BinaryOp::Add, math.times("gamma", above, gamma),
                     math.times("alpha", bent, alpha * gamma));
}

Results addElu(const OnnxSite& site) {
  return {exponentialUnit(site, site.realOf("alpha", 1), 1, 1)};
}

Results addSelu(const OnnxSite& site) {
  constexpr double kAlpha = 1.67326319217681884765625;
  constexpr double kGamma = 1.05070102214813232421875;
  return {exponentialUnit(site, site.realOf("alpha", kAlpha), site.realOf("gamma", kGamma), 1)};
}

Results addCelu(const OnnxSite& site) {
  const double alpha = site.realOf("alpha", 1);
  if (alpha == 0) throw OperandError("alpha other than 0", "0");
  return {exponentialUnit(site, alpha, 1, alpha)};
}

Results addLeakyRelu(const OnnxSite& site) {
  const double leak = site.realOf("alpha", kLeak);
  const NetworkTensorId x = site.operand(0);
  if (std::abs(leak - kLeak) <= std::numeric_limits<float>::epsilon()) {
    return {site.add(unary(UnaryFunction::LeakyRelu), {x})};
  }
  const OnnxMath math(site);
  const BinaryOp larger = leak <= 1 ? BinaryOp::Maximum : BinaryOp::Minimum;
  return {math.binary("", larger, x, math.times("leak", x, leak))};
}

Results addPRelu(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId below = math.number("below", BinaryOp::Minimum, x, 0);
  const NetworkTensorId bent = math.binary("slope", BinaryOp::Multiply, below, site.operand(1));
  return {math.binary("", BinaryOp::Add, math.unary("above", UnaryFunction::Relu, x), bent)};
}

Results addHardSigmoid(const OnnxSite& site) {
  constexpr double kDefaultSlope = 0.2;
  const double slope = site.realOf("alpha", kDefaultSlope);
  const double middle = site.realOf("beta", 0.5);
  const NetworkTensorId x = site.operand(0);
  if (isAbout(slope, kHardSlope) && middle == 0.5) {
    return {site.add(unary(UnaryFunction::HardSigmoid), {x})};
  }
  const OnnxMath math(site);
  const NetworkTensorId line = math.plus("beta", math.times("alpha", x, slope), middle);
  return {site.add(clip({0, 1}), {line})};
}

/// log(1 + exp(x)), as max(x, 0) + log(1 + exp(-|x|)).
NetworkTensorId softplus(const OnnxMath& math, NetworkTensorId x) {
  const NetworkTensorId size = math.unary("absolute", UnaryFunction::Absolute, x);
  const NetworkTensorId small = math.unary("exponent", UnaryFunction::Exponent,
                                           math.unary("negative", UnaryFunction::Negate, size));
  const NetworkTensorId rest =
      math.unary("logarithm", UnaryFunction::Logarithm, math.plus("plus_one", small, 1));
  return math.binary("softplus", BinaryOp::Add, math.unary("above", UnaryFunction::Relu, x), rest);
}

Results addSoftplus(const OnnxSite& site) {
  return {softplus(OnnxMath(site), site.operand(0))};
}

Results addMish(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  return {math.binary("", BinaryOp::Multiply, x,
                      math.unary("tanh", UnaryFunction::Tanh, softplus(math, x)))};
}

Results addGelu(const OnnxSite& site) {
  const std::string form = site.textOf("approximate", "none");
  if (form != "none" && form != "tanh") throw OperandError("none or tanh", inQuotes(form));
  return {site.add(unary(form == "none" ? UnaryFunction::Gelu : UnaryFunction::GeluTanh),
                   {site.operand(0)})};
}

/// x sigmoid(alpha x)
Results addSwish(const OnnxSite& site) {
  const double alpha = site.realOf("alpha", 1);
  const NetworkTensorId x = site.operand(0);
  if (alpha == 1) return {site.add(unary(UnaryFunction::Silu), {x})};
  const OnnxMath math(site);
  return {
      math.binary("", BinaryOp::Multiply, x,
                  math.unary("sigmoid", UnaryFunction::Sigmoid, math.times("alpha", x, alpha)))};
}

Results addThresholdedRelu(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId is_above =
      math.number("above", BinaryOp::GreaterThan, x, site.realOf("alpha", 1));
  return {math.binary("", BinaryOp::Multiply, x, math.asNumber("mask", is_above, site.typeOf(x)))};
}

/// x - bias above lambd, x + bias below -lambd, and 0 between.
Results addShrink(const OnnxSite& site) {
  const double edge = site.realOf("lambd", 0.5);
  const double bias = site.realOf("bias", 0);
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const auto side = [&](const char* part, BinaryOp op, double sign) {
    const NetworkTensorId mask = math.asNumber(
        std::string(part) + "/mask", math.number(part, op, x, sign * edge), site.typeOf(x));
    return math.binary(std::string(part) + "/value", BinaryOp::Multiply,
                       math.plus(std::string(part) + "/bias", x, -sign * bias), mask);
  };
  return {math.binary("", BinaryOp::Add, side("above", BinaryOp::GreaterThan, 1),
                      side("below", BinaryOp::LessThan, -1))};
}

/// Half the sum or difference of exp(x) and exp(-x).
Results addHyperbolic(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId up = math.unary("exponent", UnaryFunction::Exponent, x);
  const NetworkTensorId down = math.unary("inverse", UnaryFunction::Reciprocal, up);
  const bool is_sine = site.operatorName() == "Sinh";
  return {math.times("half",
                     math.binary("", is_sine ? BinaryOp::Subtract : BinaryOp::Add, up, down), 0.5)};
}

/// log(x + sqrt(x^2 +- 1))
Results addInverseHyperbolic(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const double one = site.operatorName() == "Asinh" ? 1 : -1;
  const NetworkTensorId root = math.unary("root", UnaryFunction::SquareRoot,
                                          math.plus("one", math.square("square", x), one));
  return {math.unary("", UnaryFunction::Logarithm, math.binary("sum", BinaryOp::Add, x, root))};
}

/// log((1 + x) / (1 - x)) / 2
Results addAtanh(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId ratio =
      math.binary("ratio", BinaryOp::Divide, math.plus("above", x, 1),
                  math.plus("below", math.unary("negative", UnaryFunction::Negate, x), 1));
  return {math.times("half", math.unary("", UnaryFunction::Logarithm, ratio), 0.5)};
}

/// pi / 2 - asin(x)
Results addAcos(const OnnxSite& site) {
  constexpr double kQuarterTurn = 1.5707963267948966;
  const OnnxMath math(site);
  const NetworkTensorId sine = math.unary("asin", UnaryFunction::ArcSine, site.operand(0));
  return {math.plus("", math.unary("negative", UnaryFunction::Negate, sine), kQuarterTurn)};
}

/// asin(x / sqrt(1 + x^2))
Results addAtan(const OnnxSite& site) {
  const OnnxMath math(site);
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId root =
      math.unary("root", UnaryFunction::SquareRoot, math.plus("one", math.square("square", x), 1));
  return {math.unary("", UnaryFunction::ArcSine, math.binary("sine", BinaryOp::Divide, x, root))};
}

}  // namespace

const std::vector<OnnxOperator>& onnxActivations() {
  static const std::vector<OnnxOperator> kOperators{
      {"Acos", addAcos},
      {"Acosh", addInverseHyperbolic},
      {"Asinh", addInverseHyperbolic},
      {"Atan", addAtan},
      {"Atanh", addAtanh},
      {"Celu", addCelu},
      {"Cosh", addHyperbolic},
      {"Elu", addElu},
      {"Gelu", addGelu},
      {"HardSigmoid", addHardSigmoid},
      {"LeakyRelu", addLeakyRelu},
      {"Mish", addMish},
      {"PRelu", addPRelu},
      {"Selu", addSelu},
      {"Shrink", addShrink},
      {"Sinh", addHyperbolic},
      {"Softplus", addSoftplus},
      {"Swish", addSwish},
      {"ThresholdedRelu", addThresholdedRelu},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
