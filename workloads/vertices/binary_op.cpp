// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ipusim/error.h"
#include "models/ipu/cost/binary_loops.h"
#include "workloads/vertices/elementwise.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/map_numbers.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/operator_type.h"
#include "workloads/vertices/operators.h"
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

// The functions, on the type that a vertex computes with and on doubles.
namespace binary_functions {

struct Sum {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    return static_cast<Number>(a + b);
  }
};
struct Difference {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    return static_cast<Number>(a - b);
  }
};
struct Product {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    return static_cast<Number>(a * b);
  }
};
/// An integer over 0, which the codelets leave undefined, is 0 here.
struct Quotient {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    if constexpr (std::is_integral_v<Number>) {
      if (b == 0) return 0;
    }
    return a / b;
  }
};
struct Remainder {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    if constexpr (std::is_integral_v<Number>) {
      return b == 0 ? 0 : a % b;
    } else {
      return std::fmod(a, b);
    }
  }
};
struct Largest {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    return std::max(a, b);
  }
};
struct Least {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    return std::min(a, b);
  }
};
struct Power {
  template <typename Number>
  Number operator()(Number a, Number b) const {
    return static_cast<Number>(std::pow(a, b));
  }
};
struct Both {
  template <typename Number>
  bool operator()(Number a, Number b) const {
    return a != 0 && b != 0;
  }
};
struct Either {
  template <typename Number>
  bool operator()(Number a, Number b) const {
    return a != 0 || b != 0;
  }
};

}  // namespace binary_functions

bool isInPlace(const models::BinaryOpKind& kind) {
  return kind.placement == OpPlacement::InPlace;
}

template <typename Function, typename Element, typename Result>
void apply(const BinaryOpVertexShape& shape, const VertexData& data) {
  using Number = Arithmetic<Element>;
  const auto function = [](Number a, Number b) { return static_cast<Number>(Function()(a, b)); };
  const std::size_t out_field = isInPlace(shape.kind) ? 0 : 2;
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
}

template <typename Function, ResultKind Kind>
void computeBy(const BinaryOpVertexShape& shape, const VertexData& data) {
  withElement(shape.kind.type.element(), [&](auto element) {
    using Element = decltype(element);
    using Result = std::conditional_t<Kind == ResultKind::Truth, std::uint8_t, Element>;
    apply<Function, Element, Result>(shape, data);
  });
}

template <typename Function>
double onDoubles(double a, double b) {
  return static_cast<double>(Function()(a, b));
}

struct BinaryTraits {
  bool commutes = false;
  Domain domain = Domain::All;
};
constexpr BinaryTraits kCommutes{true, Domain::All};
constexpr BinaryTraits kInPart{false, Domain::Part};

template <typename Function, ResultKind Kind = ResultKind::Operand>
BinaryOperator row(models::BinaryOp op, const char* word, const char* onnx,
                   const BinaryTraits& traits) {
  return {op,
          word,
          onnx,
          onDoubles<Function>,
          Kind,
          traits.commutes,
          traits.domain,
          computeBy<Function, Kind>};
}

/// `Function` is an object of the standard library, such as std::less<>.
template <typename Function>
BinaryOperator comparison(models::BinaryOp op, const char* word, const char* onnx,
                          const BinaryTraits& traits = {}) {
  return row<Function, ResultKind::Truth>(op, word, onnx, traits);
}

void computeBinaryOp(const BinaryOpVertexShape& shape, const VertexData& data) {
  operatorOf(shape.kind.op).compute(shape, data);
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
  const auto kind =
      readOperatorKind<models::BinaryOpKind>(config, binaryOperators(), kOperandWords);
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
  using namespace binary_functions;
  static const std::vector<BinaryOperator> kRows{
      row<Sum>(Op::Add, "add", "Add", kCommutes),
      row<Difference>(Op::Subtract, "subtract", "Sub", {}),
      row<Product>(Op::Multiply, "multiply", "Mul", kCommutes),
      row<Quotient>(Op::Divide, "divide", "Div", kInPart),
      row<Remainder>(Op::Remainder, "remainder", "", kInPart),
      row<Largest>(Op::Maximum, "maximum", "Max", kCommutes),
      row<Least>(Op::Minimum, "minimum", "Min", kCommutes),
      row<Power>(Op::Power, "power", "Pow", kInPart),
      comparison<std::equal_to<>>(Op::Equal, "equal", "Equal", kCommutes),
      comparison<std::not_equal_to<>>(Op::NotEqual, "not_equal", "", kCommutes),
      comparison<std::less<>>(Op::LessThan, "less_than", "Less"),
      comparison<std::less_equal<>>(Op::LessOrEqual, "less_or_equal", "LessOrEqual"),
      comparison<std::greater<>>(Op::GreaterThan, "greater_than", "Greater"),
      comparison<std::greater_equal<>>(Op::GreaterOrEqual, "greater_or_equal", "GreaterOrEqual"),
      comparison<Both>(Op::LogicalAnd, "logical_and", "And", kCommutes),
      comparison<Either>(Op::LogicalOr, "logical_or", "Or", kCommutes),
  };
  return kRows;
}

const BinaryOperator& operatorOf(models::BinaryOp op) {
  return operatorIn(binaryOperators(), op);
}

std::vector<BinaryOperator> operatorsOf(const std::vector<models::BinaryOp>& ops) {
  std::vector<BinaryOperator> rows;
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
