// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ipusim/error.h"
#include "models/ipu/cost/binary_loops.h"
#include "workloads/vertices/elementwise.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/map_numbers.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/operator_type.h"
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

constexpr Words<models::BinaryOp, 13> kBinaryOpWords{
    {{models::BinaryOp::Add, "add"},
     {models::BinaryOp::Subtract, "subtract"},
     {models::BinaryOp::Multiply, "multiply"},
     {models::BinaryOp::Divide, "divide"},
     {models::BinaryOp::Maximum, "maximum"},
     {models::BinaryOp::Minimum, "minimum"},
     {models::BinaryOp::Power, "power"},
     {models::BinaryOp::Equal, "equal"},
     {models::BinaryOp::NotEqual, "not_equal"},
     {models::BinaryOp::LessThan, "less_than"},
     {models::BinaryOp::LessOrEqual, "less_or_equal"},
     {models::BinaryOp::GreaterThan, "greater_than"},
     {models::BinaryOp::GreaterOrEqual, "greater_or_equal"}}};

/// An integer over 0, which the codelets leave undefined, is 0 here.
template <typename Number>
Number quotient(Number a, Number b) {
  if constexpr (std::is_integral_v<Number>) {
    if (b == 0) return 0;
  }
  return a / b;
}

/// Calls `use` with the function of `op` on values of type `Number`.
template <typename Number, typename Use>
void withOp(models::BinaryOp op, const Use& use) {
  switch (op) {
    case models::BinaryOp::Add:
      return use([](Number a, Number b) { return static_cast<Number>(a + b); });
    case models::BinaryOp::Subtract:
      return use([](Number a, Number b) { return static_cast<Number>(a - b); });
    case models::BinaryOp::Multiply:
      return use([](Number a, Number b) { return static_cast<Number>(a * b); });
    case models::BinaryOp::Divide:
      return use(quotient<Number>);
    case models::BinaryOp::Maximum:
      return use([](Number a, Number b) { return std::max(a, b); });
    case models::BinaryOp::Minimum:
      return use([](Number a, Number b) { return std::min(a, b); });
    case models::BinaryOp::Power:
      return use([](Number a, Number b) { return static_cast<Number>(std::pow(a, b)); });
    case models::BinaryOp::Equal:
      return use([](Number a, Number b) { return static_cast<Number>(a == b ? 1 : 0); });
    case models::BinaryOp::NotEqual:
      return use([](Number a, Number b) { return static_cast<Number>(a != b ? 1 : 0); });
    case models::BinaryOp::LessThan:
      return use([](Number a, Number b) { return static_cast<Number>(a < b ? 1 : 0); });
    case models::BinaryOp::LessOrEqual:
      return use([](Number a, Number b) { return static_cast<Number>(a <= b ? 1 : 0); });
    case models::BinaryOp::GreaterThan:
      return use([](Number a, Number b) { return static_cast<Number>(a > b ? 1 : 0); });
    case models::BinaryOp::GreaterOrEqual:
      return use([](Number a, Number b) { return static_cast<Number>(a >= b ? 1 : 0); });
    default:
      throw InternalError("an operator that no vertex here computes");
  }
}

bool isInPlace(const models::BinaryOpKind& kind) {
  return kind.placement == OpPlacement::InPlace;
}

template <typename Element, typename Result>
void apply(const BinaryOpVertexShape& shape, const VertexData& data) {
  using Number = Arithmetic<Element>;
  const std::size_t out_field = isInPlace(shape.kind) ? 0 : 2;
  withOp<Number>(shape.kind.op, [&](auto function) {
    for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
      const std::uint64_t length = shape.runs.lengths()[run];
      const auto* in1 = data.as<Element>(0, run);
      const auto* in2 = data.as<Element>(1, run);
      auto* out = data.as<Result>(out_field, run);
      if constexpr (kIsNumber<Element> && std::is_same_v<Element, Result>) {
        mapNumbers(length, function, in1, in2, out);
      } else {
        std::transform(in1, in1 + length, in2, out, [&](Element a, Element b) {
          return static_cast<Result>(function(static_cast<Number>(a), static_cast<Number>(b)));
        });
      }
    }
  });
}

void computeBinaryOp(const BinaryOpVertexShape& shape, const VertexData& data) {
  const ElementType type = shape.kind.type.element();
  withElement(type, [&](auto element) {
    using Element = decltype(element);
    if (resultType(shape.kind.op, type) == type) {
      apply<Element, Element>(shape, data);
    } else {
      apply<Element, std::uint8_t>(shape, data);
    }
  });
}

Cycles binaryOpCost(const BinaryOpVertexShape& shape, const Architecture& machine) {
  const Runs& runs = shape.runs;
  if (runs.isOne()) return models::binaryOpCycles(machine, {shape.kind, runs.elements()});
  return models::binaryOp2dCycles(machine, {shape.kind, runs.lengths()});
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
  const auto kind = readOperator<models::BinaryOpKind>(config, kBinaryOpWords, kOperandWords);
  if (!models::hasLoop(kind, models::SecondOperand::Tensor)) {
    throw config.error(
        "op", fmt::format("an operator with a published cost on {}{}", nameOf(kind.type.element()),
                          isInPlace(kind) ? " in place" : ""));
  }
  return binaryOpVertex({kind, Runs::read(config)});
}

}  // namespace

ElementType resultType(models::BinaryOp op, ElementType type) {
  switch (op) {
    case models::BinaryOp::Equal:
    case models::BinaryOp::NotEqual:
    case models::BinaryOp::LessThan:
    case models::BinaryOp::LessOrEqual:
    case models::BinaryOp::GreaterThan:
    case models::BinaryOp::GreaterOrEqual:
      return ElementType::Bool;
    default:
      return type;
  }
}

VertexType binaryOpVertex(BinaryOpVertexShape shape) {
  const models::BinaryOpKind& kind = shape.kind;
  const ElementType element = kind.type.element();
  const bool in_place = isInPlace(kind);
  VertexType type = operatorType(
      {"popops::BinaryOp", wordOf(kind.op, kBinaryOpWords), wordOf(element, kOperandWords)},
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
