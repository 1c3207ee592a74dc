// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/number_operand.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_model.h"
#include "workloads/sources/onnx/onnx_site.h"
#include "workloads/vertices/elementwise/operators.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

/// In the first versions, the right operand stood at dimension `axis` of the left one.
NetworkTensorId rightOperand(const OnnxSite& site) {
  const NetworkTensorId right = site.operand(1);
  constexpr std::int64_t kBroadcastAsNow = 7;
  if (site.opset() >= kBroadcastAsNow || site.find("axis") == nullptr) return right;
  const std::size_t rank = site.shape(0).size();
  Shape shape = site.shape(1);
  const std::size_t axis = onnxAxis(site.integer("axis", 0), rank);
  if (axis + shape.size() > rank) throw OperandError("an axis within the left operand", "another");
  shape.resize(rank - axis, 1);
  return site.shaped("aligned", right, shape);
}

/// One number of the file beside a tensor of each run: the shape of the result.
struct ScalarOperand {
  double number;
  Shape shape;
};

std::optional<ScalarOperand> scalarOperand(const OnnxSite& site, std::size_t number) {
  const std::optional<double> found = site.uniform(number);
  if (!found || site.uniform(1 - number)) return std::nullopt;
  const Shape shape = broadcastShape(site.shape(0), site.shape(1));
  if (elementsOf(shape) != elementsOf(site.shape(1 - number))) return std::nullopt;
  return ScalarOperand{*found, shape};
}

/// a op b. A number that the file has needs no tensor.
Results addBinary(BinaryOp op, const OnnxSite& site) {
  const OnnxMath math(site);
  if (const auto right = scalarOperand(site, 1)) {
    return {
        site.shaped("shape", math.number("", op, site.operand(0), right->number), right->shape)};
  }
  if (const auto left = scalarOperand(site, 0)) {
    return {
        site.shaped("shape", math.numberLeft("", op, left->number, site.operand(1)), left->shape)};
  }
  const NetworkTensorId right = rightOperand(site);
  return {math.binary("", op, site.operand(0), right)};
}

/// An operator on any number of operands, one after the other.
template <BinaryOp Op>
Results addMany(const OnnxSite& site) {
  if (site.operands() == 2) return addBinary(Op, site);
  const OnnxMath math(site);
  NetworkTensorId result = site.operand(0);
  for (std::size_t o = 1; o < site.operands(); ++o) {
    result = math.binary("", Op, result, site.operand(o));
  }
  return {result};
}

Results addMean(const OnnxSite& site) {
  const NetworkTensorId sum = addMany<BinaryOp::Add>(site).front();
  return {OnnxMath(site).times("mean", sum, 1 / static_cast<double>(site.operands()))};
}

/// A power whose exponent the file has needs no tensor of exponents where it is a product or a
/// root.
Results addPower(const OnnxSite& site) {
  const std::optional<double> exponent = site.uniform(1);
  const NetworkTensorId x = site.operand(0);
  const Shape shape = broadcastShape(site.shape(0), site.shape(1));
  const bool is_number = exponent && elementsOf(shape) == elementsOf(site.shape(0));
  const OnnxMath math(site);
  if (!is_number) {
    NetworkTensorId power = site.operand(1);
    if (site.typeOf(power) != site.typeOf(x)) {
      power = math.asNumber("exponent", power, site.typeOf(x));
    }
    return {site.add(binary(BinaryOp::Power), {x, power})};
  }
  const auto shaped = [&](NetworkTensorId y) { return Results{site.shaped("shape", y, shape)}; };
  if (*exponent == 1) return shaped(x);
  if (*exponent == 2) return shaped(site.add(binary(BinaryOp::Multiply), {x, x}));
  if (*exponent == 3)
    return shaped(math.binary("", BinaryOp::Multiply, math.square("square", x), x));
  if (*exponent == 0.5) return shaped(site.add(unary(UnaryFunction::SquareRoot), {x}));
  if (*exponent == -0.5) {
    return shaped(math.unary("", UnaryFunction::Reciprocal,
                             math.unary("root", UnaryFunction::SquareRoot, x)));
  }
  if (*exponent == -1) return shaped(site.add(unary(UnaryFunction::Reciprocal), {x}));
  return shaped(math.number("", BinaryOp::Power, x, *exponent));
}

/// A remainder of whole numbers that is not negative. Those on tiles have no sign, but their sums
/// wrap around: with a multiple of the divisor added, which is 2^31 or a little more, the remainder
/// of a dividend from -2^31 on is right. So is that of one below 2^31, but for the last ones, which
/// the sum carries beyond 2^32.
NetworkTensorId wholeRemainder(const OnnxSite& site) {
  constexpr double kHalfRange = 2147483648;
  const std::optional<double> divisor = site.uniform(1);
  if (!divisor) {
    throw OperandError("a divisor that the file has, as whole numbers on tiles have no sign",
                       "a computed one");
  }
  if (*divisor <= 0 || site.isSet("fmod")) {
    throw OperandError("a divisor above 0 and fmod 0, as whole numbers on tiles have no sign",
                       fmt::format("{} and fmod {}", *divisor, site.isSet("fmod") ? 1 : 0));
  }
  const OnnxMath math(site);
  const double more = std::ceil(kHalfRange / *divisor) * *divisor;
  const NetworkTensorId x = math.number("shifted", BinaryOp::Add, site.operand(0), more);
  return math.binary("", BinaryOp::Remainder, x, site.operand(1));
}

/// Remainders of real numbers have the sign of the dividend only.
Results addRemainder(const OnnxSite& site) {
  const ElementType type = site.type(0);
  const bool is_real = type == ElementType::Float || type == ElementType::Half;
  if (!is_real) return {wholeRemainder(site)};
  if (!site.isSet("fmod")) throw OperandError("fmod 1 of real numbers", "0");
  return {site.add(binary(BinaryOp::Remainder), {site.operand(0), site.operand(1)})};
}

Results addClip(const OnnxSite& site) {
  constexpr double kAll = std::numeric_limits<float>::max();
  const auto bound = [&](std::size_t operand, const char* attribute,
                         double otherwise) -> std::optional<double> {
    return site.has(operand) ? site.scalar(operand) : site.realOf(attribute, otherwise);
  };
  const std::optional<double> low = bound(1, "min", -kAll);
  const std::optional<double> high = bound(2, "max", kAll);
  const NetworkTensorId x = site.operand(0);
  const ElementType type = site.typeOf(x);
  const bool is_real = type == ElementType::Float || type == ElementType::Half;
  if (low && high && is_real) {
    if (*low == 0 && *high == kRelu6High) return {site.add(unary(UnaryFunction::Relu6), {x})};
    if (*low == 0 && *high >= kAll) return {site.add(unary(UnaryFunction::Relu), {x})};
    return {site.add(clip({*low, *high}), {x})};
  }
  // Bounds that are computed, and those of whole numbers, are tensors.
  const OnnxMath math(site);
  NetworkTensorId y = x;
  const auto limit = [&](std::size_t operand, BinaryOp op, const char* part) {
    if (site.has(operand)) y = math.binary(part, op, y, site.operand(operand));
  };
  limit(1, BinaryOp::Maximum, "low");
  limit(2, BinaryOp::Minimum, "high");
  return {y};
}

Results castTo(const OnnxSite& site, ElementType type) {
  const NetworkTensorId x = site.operand(0);
  if (site.typeOf(x) == type) return {x};
  return {site.add(cast(type), {x})};
}

Results addCast(const OnnxSite& site) {
  return castTo(site, site.tileType(static_cast<std::int32_t>(site.integer("to", 1))));
}

Results addCastLike(const OnnxSite& site) {
  return castTo(site, site.type(1));
}

Results addIdentity(const OnnxSite& site) {
  return {site.operand(0)};
}

Results addWhere(const OnnxSite& site) {
  return {site.add(select(), {site.operand(0), site.operand(1), site.operand(2)})};
}

Results addNot(const OnnxSite& site) {
  return {site.add(logicalNot(), {site.operand(0)})};
}

Results addXor(const OnnxSite& site) {
  return {site.add(binary(BinaryOp::NotEqual), {site.operand(0), site.operand(1)})};
}

/// Only what is no number differs from itself.
Results addIsNaN(const OnnxSite& site) {
  const NetworkTensorId x = site.operand(0);
  return {site.add(binary(BinaryOp::NotEqual), {x, x})};
}

Results addIsInf(const OnnxSite& site) {
  const bool takes_negative = site.isSet("detect_negative", true);
  const bool takes_positive = site.isSet("detect_positive", true);
  const OnnxMath math(site);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  NetworkTensorId x = site.operand(0);
  if (takes_negative && takes_positive) x = math.unary("absolute", UnaryFunction::Absolute, x);
  const double infinity = takes_positive ? kInfinity : -kInfinity;
  return {math.number("", BinaryOp::Equal, x, infinity)};
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
    add(row.onnx, [function](const OnnxSite& site) {
      return Results{site.add(unary(function), {site.operand(0)})};
    });
  }
  for (const BinaryOperator& row : binaryOperators()) {
    const BinaryOp op = row.op;
    add(row.onnx, [op](const OnnxSite& site) { return addBinary(op, site); });
  }
}

std::vector<OnnxOperator> elementwiseOperators() {
  std::vector<OnnxOperator> operators{
      {"Cast", addCast},
      {"CastLike", addCastLike},
      {"Clip", addClip},
      {"Identity", addIdentity},
      {"IsInf", addIsInf},
      {"IsNaN", addIsNaN},
      {"Max", addMany<BinaryOp::Maximum>},
      {"Mean", addMean},
      {"Min", addMany<BinaryOp::Minimum>},
      {"Mod", addRemainder},
      {"Not", addNot},
      {"Pow", addPower},
      {"Sum", addMany<BinaryOp::Add>},
      {"Where", addWhere},
      {"Xor", addXor},
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
