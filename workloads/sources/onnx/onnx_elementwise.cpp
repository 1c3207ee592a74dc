// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text/message.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_model.h"
#include "workloads/sources/onnx/onnx_site.h"
#include "workloads/vertices/elementwise/operators.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;

Results addUnary(UnaryFunction function, const OnnxSite& site) {
  return {site.add(unary(function), {site.operand(0)})};
}

/// Exporters write the bias of a product on either side. The steps on tiles repeat a right operand
/// that is smaller where the left one lies, so the larger operand of a sum or product goes left.
Results addBinary(models::BinaryOp op, const OnnxSite& site) {
  NetworkTensorId left = site.operand(0);
  NetworkTensorId right = site.operand(1);
  const auto size_of = [&](NetworkTensorId one) { return elementsOf(site.graph().shapeOf(one)); };
  if (operatorOf(op).commutes && size_of(left) < size_of(right)) std::swap(left, right);
  return {site.add(binary(op), {left, right})};
}

/// An operator on any number of operands, one after the other.
template <models::BinaryOp Op>
Results addMany(const OnnxSite& site) {
  NetworkTensorId result = site.operand(0);
  for (std::size_t o = 1; o < site.operands(); ++o) {
    result = site.add(binary(Op), {result, site.operand(o)});
  }
  return {result};
}

/// A power whose exponent the file has needs no tensor of exponents where it is a product or a
/// root.
Results addPower(const OnnxSite& site) {
  const std::optional<double> exponent = site.scalar(1);
  const NetworkTensorId x = site.operand(0);
  if (!exponent) return {site.add(binary(models::BinaryOp::Power), {x, site.operand(1)})};
  if (*exponent == 1) return {x};
  if (*exponent == 2) return {site.add(binary(models::BinaryOp::Multiply), {x, x})};
  if (*exponent == 0.5) return {site.add(unary(UnaryFunction::SquareRoot), {x})};
  if (*exponent == -1) return {site.add(unary(UnaryFunction::Reciprocal), {x})};
  const ElementType type = site.graph()[x].type.type;
  return {site.add(binary(models::BinaryOp::Power),
                   {x, site.add("exponent", constant({1}, *exponent, type), {})})};
}

/// A product with one number that the file has needs no second tensor.
Results addMultiply(const OnnxSite& site) {
  for (const std::size_t one : {1U, 0U}) {
    const std::optional<double> factor = site.scalar(one);
    if (factor && !site.scalar(1 - one)) return {site.add(scale(*factor), {site.operand(1 - one)})};
  }
  return addBinary(models::BinaryOp::Multiply, site);
}

Results addDivide(const OnnxSite& site) {
  const std::optional<double> divisor = site.scalar(1);
  if (divisor && *divisor != 0 && !site.scalar(0)) {
    return {site.add(scale(1 / *divisor), {site.operand(0)})};
  }
  return addBinary(models::BinaryOp::Divide, site);
}

Results addLeakyRelu(const OnnxSite& site) {
  const double leak = site.realOf("alpha", kLeak);
  if (std::abs(leak - kLeak) > std::numeric_limits<float>::epsilon()) {
    throw OperandError(fmt::format("alpha {}", kLeak), fmt::format("{}", leak));
  }
  return addUnary(UnaryFunction::LeakyRelu, site);
}

/// The function of the frameworks; the operator's own default for alpha is 0.2.
Results addHardSigmoid(const OnnxSite& site) {
  constexpr double kDefaultSlope = 0.2;
  const double slope = site.realOf("alpha", kDefaultSlope);
  const double middle = site.realOf("beta", 0.5);
  if (std::abs(slope - kHardSlope) > 1e-4 || middle != 0.5) {
    throw OperandError("alpha 1/6 and beta 0.5", fmt::format("{} and {}", slope, middle));
  }
  return addUnary(UnaryFunction::HardSigmoid, site);
}

Results addClip(const OnnxSite& site) {
  constexpr double kAll = std::numeric_limits<float>::max();
  const auto bound = [&](std::size_t operand, const char* attribute, double otherwise) {
    if (!site.has(operand)) return site.realOf(attribute, otherwise);
    const std::optional<double> value = site.scalar(operand);
    if (!value) throw OperandError("bounds whose numbers the file has", "computed ones");
    return *value;
  };
  const double low = bound(1, "min", -kAll);
  const double high = bound(2, "max", kAll);
  if (low == 0 && high == kRelu6High) return addUnary(UnaryFunction::Relu6, site);
  return {site.add(clip({low, high}), {site.operand(0)})};
}

Results addCast(const OnnxSite& site) {
  const auto to = static_cast<std::int32_t>(site.integer("to", 1));
  const auto type = (site.isFolding() ? onnxElementType(to) : onnxTileType(to)).first;
  const NetworkTensorId x = site.operand(0);
  if (site.graph()[x].type.type == type) return {x};
  return {site.add(cast(type), {x})};
}

Results addIdentity(const OnnxSite& site) {
  return {site.operand(0)};
}

Results addWhere(const OnnxSite& site) {
  return {site.add(select(), {site.operand(0), site.operand(1), site.operand(2)})};
}

/// Operators that the tables have, and whose attributes and operands leave nothing to read.
void addFromTables(std::vector<OnnxOperator>& operators) {
  const auto add = [&operators](const char* name, const AddOnnxNode& add_one) {
    const bool is_read =
        std::any_of(operators.begin(), operators.end(),
                    [&](const OnnxOperator& one) { return std::string(one.name) == name; });
    if (*name != '\0' && !is_read) operators.push_back({name, add_one});
  };
  for (const UnaryRow& row : unaryRows()) {
    const UnaryFunction function = row.function;
    add(row.onnx, [function](const OnnxSite& site) { return addUnary(function, site); });
  }
  for (const BinaryOperator& row : binaryOperators()) {
    const models::BinaryOp op = row.op;
    add(row.onnx, [op](const OnnxSite& site) { return addBinary(op, site); });
  }
}

std::vector<OnnxOperator> elementwiseOperators() {
  std::vector<OnnxOperator> operators{
      {"Cast", addCast},
      {"Clip", addClip},
      {"Div", addDivide},
      {"HardSigmoid", addHardSigmoid},
      {"Identity", addIdentity},
      {"LeakyRelu", addLeakyRelu},
      {"Max", addMany<models::BinaryOp::Maximum>},
      {"Min", addMany<models::BinaryOp::Minimum>},
      {"Mul", addMultiply},
      {"Pow", addPower},
      {"Sum", addMany<models::BinaryOp::Add>},
      {"Where", addWhere},
  };
  addFromTables(operators);
  return operators;
}

}  // namespace

const std::vector<OnnxOperator>& onnxElementwise() {
  static const std::vector<OnnxOperator> kOperators = elementwiseOperators();
  return kOperators;
}

}  // namespace ipusim::workloads
