// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/binary_loops.h"
#include "models/ipu/cost/unsigned_division.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/elementwise/operator_type.h"
#include "workloads/vertices/elementwise/operators.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

using models::OpPlacement;

namespace {

/// The types that operators work on: all but quarters, which are converted only.
constexpr Words<ElementType, 6> kOperandWords{{{ElementType::Half, "half"},
                                               {ElementType::Float, "float"},
                                               {ElementType::Int32, "int"},
                                               {ElementType::UInt32, "unsigned int"},
                                               {ElementType::UInt16, "unsigned short"},
                                               {ElementType::Bool, "bool"}}};

// Pointers and the length, or for a list the number of runs; the in-place form has one pointer
// less.
// Source: poplibs lib/popops/codelets/BinaryCodelets.cpp.
constexpr Bytes kBinaryOpStateBytes(16);
constexpr Bytes kBinaryOpInPlaceStateBytes(12);
// Bytes per run of the 2D form.
// Source: as above.
constexpr Bytes kBinaryOpRunBytes(16);
constexpr Bytes kBinaryOpInPlaceRunBytes(12);

/// An integer over 0, which the codelets leave undefined, is 0 here.
template <typename Number>
Number quotient(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    if (b == 0) return 0;
  }
  return a / b;
}

template <typename Number>
Number remainderOf(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    return b == 0 ? 0 : a % b;
  } else {
    return std::fmod(a, b);
  }
}

/// Shifts zeros in. No integer has more than 32 bits. Of real numbers, the quotient by a power of
/// two.
template <typename Number>
Number shiftedRight(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    const auto places = static_cast<std::uint32_t>(b);
    return places < 32 ? static_cast<Number>(static_cast<std::uint32_t>(a) >> places) : 0;
  } else {
    return std::floor(std::ldexp(a, -static_cast<int>(b)));
  }
}

bool isInPlace(const models::BinaryOpKind& kind) {
  return kind.placement == OpPlacement::InPlace;
}

template <typename Element, typename Result, typename Function>
void apply(const BinaryOpVertexShape& shape, const Function& function, const VertexData& data) {
  using Number = Arithmetic<Element>;
  const auto on_numbers = [&](Number a, Number b) { return static_cast<Number>(function(a, b)); };
  const std::size_t out_field = isInPlace(shape.kind) ? 0 : 2;
  for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
    const std::uint64_t length = shape.runs.lengths()[run];
    const auto* in1 = data.as<Element>(0, run);
    const auto* in2 = data.as<Element>(1, run);
    auto* out = data.as<Result>(out_field, run);
    if constexpr (kIsNumber<Element> && std::is_same_v<Element, Result>) {
      mapNumbers(length, on_numbers, in1, in2, out);
    } else {
      std::transform(in1, in1 + length, in2, out, [&](Element a, Element b) {
        return static_cast<Result>(on_numbers(static_cast<Number>(a), static_cast<Number>(b)));
      });
    }
  }
}

struct BinaryTraits {
  bool commutes = false;
  Domain domain = Domain::All;
};
constexpr BinaryTraits kCommutes{true, Domain::All};
constexpr BinaryTraits kInPart{false, Domain::Part};

/// `function` computes with the type that a vertex computes with, and with doubles.
template <ResultKind Kind = ResultKind::Operand, typename Function>
BinaryOperator row(models::BinaryOp op, const char* word, const char* onnx,
                   const Function& function, const BinaryTraits& traits = {}) {
  const auto compute = [function](const BinaryOpVertexShape& shape, const VertexData& data) {
    withElement(shape.kind.type.element(), [&](auto element) {
      using Element = decltype(element);
      using Result = std::conditional_t<Kind == ResultKind::Truth, std::uint8_t, Element>;
      apply<Element, Result>(shape, function, data);
    });
  };
  return {op, word, onnx, function, Kind, traits.commutes, traits.domain, compute};
}

template <typename Function>
BinaryOperator truth(models::BinaryOp op, const char* word, const char* onnx,
                     const Function& function, const BinaryTraits& traits = {}) {
  return row<ResultKind::Truth>(op, word, onnx, function, traits);
}

/// The operators of vertices alone, beside those that networks and their texts have too.
const std::vector<BinaryOperator>& vertexOperators() {
  static const std::vector<BinaryOperator> kRows = [] {
    std::vector<BinaryOperator> rows = binaryOperators();
    rows.push_back(row(
        models::BinaryOp::ShiftRight, "shift_right", "",
        [](auto a, auto b) { return shiftedRight(a, b); }, kInPart));
    return rows;
  }();
  return kRows;
}

void computeBinaryOp(const BinaryOpVertexShape& shape, const VertexData& data) {
  operatorOf(shape.kind.op).compute(shape, data);
}

Cycles binaryOpCost(const BinaryOpVertexShape& shape, const Architecture& machine) {
  const Runs& runs = shape.runs;
  if (runs.isOne()) return models::measuredBinaryOpCycles(machine, {shape.kind, runs.elements()});
  return models::measuredBinaryOp2dCycles(machine, {shape.kind, runs.lengths()});
}

std::vector<Field> fieldsOf(const models::BinaryOpKind& kind, const EdgeGroups& groups) {
  const ElementType type = kind.type.element();
  if (isInPlace(kind)) {
    return {{"in1Out", FieldDirection::InOut, type, groups},
            {"in2", FieldDirection::Input, type, groups}};
  }
  return {{"in1", FieldDirection::Input, type, groups},
          {"in2", FieldDirection::Input, type, groups},
          {"out", FieldDirection::Output, resultType(kind.op, type), groups}};
}

VertexType readBinaryOp(const ConfigReader& config, const Architecture& /*machine*/) {
  const auto kind =
      readOperatorKind<models::BinaryOpKind>(config, vertexOperators(), kOperandWords);
  if (!models::hasLoop(kind, models::SecondOperand::Tensor)) {
    throw config.error(
        "op", fmt::format("an operator with a published cost on {}{}", nameOf(kind.type.element()),
                          isInPlace(kind) ? " in place" : ""));
  }
  return binaryOpVertex({kind, Runs::read(config)});
}

}  // namespace

const std::vector<BinaryOperator>& binaryOperators() {
  using Op = models::BinaryOp;
  static const std::vector<BinaryOperator> kRows{
      row(
          Op::Add, "add", "Add", [](auto a, auto b) { return a + b; }, kCommutes),
      row(Op::Subtract, "subtract", "Sub", [](auto a, auto b) { return a - b; }),
      row(
          Op::Multiply, "multiply", "Mul", [](auto a, auto b) { return a * b; }, kCommutes),
      row(
          Op::Divide, "divide", "Div", [](auto a, auto b) { return quotient(a, b); }, kInPart),
      row(
          Op::Remainder, "remainder", "", [](auto a, auto b) { return remainderOf(a, b); },
          kInPart),
      row(
          Op::Maximum, "maximum", "Max", [](auto a, auto b) { return std::max(a, b); }, kCommutes),
      row(
          Op::Minimum, "minimum", "Min", [](auto a, auto b) { return std::min(a, b); }, kCommutes),
      row(
          Op::Power, "power", "Pow", [](auto a, auto b) { return std::pow(a, b); }, kInPart),
      truth(
          Op::Equal, "equal", "Equal", [](auto a, auto b) { return a == b; }, kCommutes),
      truth(
          Op::NotEqual, "not_equal", "", [](auto a, auto b) { return a != b; }, kCommutes),
      truth(Op::LessThan, "less_than", "Less", [](auto a, auto b) { return a < b; }),
      truth(Op::LessOrEqual, "less_or_equal", "LessOrEqual", [](auto a, auto b) { return a <= b; }),
      truth(Op::GreaterThan, "greater_than", "Greater", [](auto a, auto b) { return a > b; }),
      truth(Op::GreaterOrEqual, "greater_or_equal", "GreaterOrEqual",
            [](auto a, auto b) { return a >= b; }),
      truth(
          Op::LogicalAnd, "logical_and", "And", [](auto a, auto b) { return a != 0 && b != 0; },
          kCommutes),
      truth(
          Op::LogicalOr, "logical_or", "Or", [](auto a, auto b) { return a != 0 || b != 0; },
          kCommutes),
  };
  return kRows;
}

const BinaryOperator& operatorOf(models::BinaryOp op) {
  return operatorIn(vertexOperators(), op);
}

std::vector<BinaryOperator> operatorsOf(const std::vector<models::BinaryOp>& ops) {
  std::vector<BinaryOperator> rows;
  rows.reserve(ops.size());
  for (const models::BinaryOp op : ops) rows.push_back(operatorOf(op));
  return rows;
}

ElementType resultType(models::BinaryOp op, ElementType type) {
  return operatorOf(op).result == ResultKind::Truth ? ElementType::Bool : type;
}

VertexType binaryOpVertex(BinaryOpVertexShape shape) {
  const models::BinaryOpKind& kind = shape.kind;
  const ElementType element = kind.type.element();
  const bool in_place = isInPlace(kind);
  VertexType type =
      operatorType({"popops::BinaryOp", operatorOf(kind.op).word, wordOf(element, kOperandWords)},
                   kind.placement, shape.runs);
  type.maker = kBinaryOpEntry.name;
  type.fields = fieldsOf(kind, shape.runs.groups());
  type.sizes = {in_place ? kBinaryOpInPlaceStateBytes : kBinaryOpStateBytes,
                shape.runs.tableBytes(in_place ? kBinaryOpInPlaceRunBytes : kBinaryOpRunBytes),
                kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(isFloating(element) ? shape.runs.elements() : 0));
  return withFunctions<BinaryOpVertexShape>(std::move(type), std::move(shape),
                                            {binaryOpCost, computeBinaryOp});
}

const VertexEntry kBinaryOpEntry{
    "binary_op", "elementwise on two operands, BinaryOp: op, type, in_place, elements, regions",
    readBinaryOp};

}  // namespace ipusim::workloads
