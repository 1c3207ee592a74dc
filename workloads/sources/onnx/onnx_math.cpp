// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/onnx/onnx_math.h"

#include <utility>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/number_operand.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/vertices/elementwise/operators.h"

namespace ipusim::workloads {

using models::BinaryOp;

namespace {

/// The comparison that holds with its operands exchanged.
BinaryOp turned(BinaryOp op) {
  switch (op) {
    case BinaryOp::LessThan:
      return BinaryOp::GreaterThan;
    case BinaryOp::LessOrEqual:
      return BinaryOp::GreaterOrEqual;
    case BinaryOp::GreaterThan:
      return BinaryOp::LessThan;
    case BinaryOp::GreaterOrEqual:
      return BinaryOp::LessOrEqual;
    default:
      return op;
  }
}

}  // namespace

NetworkTensorId OnnxMath::unary(const std::string& part, UnaryFunction function,
                                NetworkTensorId x) const {
  return site_.add(part, workloads::unary(function), {x});
}

NetworkTensorId OnnxMath::binary(const std::string& part, BinaryOp op, NetworkTensorId left,
                                 NetworkTensorId right) const {
  const auto size_of = [&](NetworkTensorId one) { return elementsOf(site_.shapeOf(one)); };
  if (operatorOf(op).commutes && size_of(left) < size_of(right)) std::swap(left, right);
  return site_.add(part, workloads::binary(op), {left, right});
}

/// Whole numbers and bools have no vertices with one number beside them; theirs is a tensor.
NetworkTensorId OnnxMath::number(const std::string& part, BinaryOp op, NetworkTensorId x,
                                 double number) const {
  const ElementType type = site_.typeOf(x);
  const bool is_real = type == ElementType::Float || type == ElementType::Half;
  if (is_real && op == BinaryOp::Add) return plus(part, x, number);
  if (is_real && op == BinaryOp::Subtract) return plus(part, x, -number);
  if (is_real && op == BinaryOp::Multiply) return times(part, x, number);
  if (is_real && op == BinaryOp::Divide && number != 0) return times(part, x, 1 / number);
  if (is_real && takesNumber(op)) return site_.add(part, withNumber(op, number), {x});
  return binary(part, op, x, site_.add(part + "/number", constant({1}, number, type), {}));
}

NetworkTensorId OnnxMath::numberLeft(const std::string& part, BinaryOp op, double number,
                                     NetworkTensorId x) const {
  const ElementType type = site_.typeOf(x);
  const bool is_real = type == ElementType::Float || type == ElementType::Half;
  if (operatorOf(op).commutes || turned(op) != op) {
    return this->number(part, turned(op), x, number);
  }
  if (is_real && op == BinaryOp::Subtract) {
    const NetworkTensorId negative = unary(part + "/negative", UnaryFunction::Negate, x);
    return number == 0 ? negative : plus(part, negative, number);
  }
  if (is_real && op == BinaryOp::Divide) {
    const NetworkTensorId inverse = unary(part + "/inverse", UnaryFunction::Reciprocal, x);
    return number == 1 ? inverse : times(part, inverse, number);
  }
  const NetworkTensorId left = site_.add(part + "/number", constant({1}, number, type), {});
  return site_.add(part, workloads::binary(op), {left, x});
}

NetworkTensorId OnnxMath::plus(const std::string& part, NetworkTensorId x, double number) const {
  return number == 0 ? x : site_.add(part, withNumber(BinaryOp::Add, number), {x});
}

NetworkTensorId OnnxMath::times(const std::string& part, NetworkTensorId x, double factor) const {
  return factor == 1 ? x : site_.add(part, scale(factor), {x});
}

NetworkTensorId OnnxMath::square(const std::string& part, NetworkTensorId x) const {
  return site_.add(part, workloads::binary(BinaryOp::Multiply), {x, x});
}

NetworkTensorId OnnxMath::asNumber(const std::string& part, NetworkTensorId x,
                                   ElementType type) const {
  return site_.typeOf(x) == type ? x : site_.add(part, cast(type), {x});
}

}  // namespace ipusim::workloads
