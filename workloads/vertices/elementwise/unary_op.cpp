// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ipusim/error.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/elementwise/nonlinear_functions.h"
#include "workloads/vertices/elementwise/operator_type.h"
#include "workloads/vertices/elementwise/operators.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

using models::OpPlacement;

namespace {

// Pointers and the length, or for a list the number of runs; the in-place form has one pointer
// less.
// Source: poplibs lib/popops/codelets/UnaryCodelets.cpp.
constexpr Bytes kUnaryOpStateBytes(12);
constexpr Bytes kUnaryOpInPlaceStateBytes(8);
// Bytes per run of the 2D form.
// Source: as above.
constexpr Bytes kUnaryOpRunBytes(12);
constexpr Bytes kUnaryOpInPlaceRunBytes(8);

bool isInPlace(const models::UnaryOpKind& kind) {
  return kind.placement == OpPlacement::InPlace;
}

Cycles unaryOpCost(const UnaryOpVertexShape& shape, const Architecture& machine) {
  const Runs& runs = shape.runs;
  if (runs.isOne()) return models::unaryOpCycles(machine, {shape.kind, runs.elements()});
  return models::unaryOp2dCycles(machine, {shape.kind, runs.lengths()});
}

/// `function` computes with floats, as vertices do, and with doubles.
template <typename Function>
UnaryOperator row(models::UnaryOp op, const char* word, const Function& function,
                  Domain domain = Domain::All) {
  const auto compute = [function](const UnaryOpVertexShape& shape, const VertexData& data) {
    const std::size_t out_field = isInPlace(shape.kind) ? 0 : 1;
    withNumber(shape.kind.type.element(), [&](auto number) {
      using Number = decltype(number);
      for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
        mapNumbers(shape.runs.lengths()[run], function, data.as<Number>(0, run),
                   data.as<Number>(out_field, run));
      }
    });
  };
  return {op, word, function, domain, compute};
}

void computeUnaryOp(const UnaryOpVertexShape& shape, const VertexData& data) {
  operatorOf(shape.kind.op).compute(shape, data);
}

std::vector<Field> fieldsOf(const models::UnaryOpKind& kind, const EdgeGroups& groups) {
  const ElementType type = kind.type.element();
  if (isInPlace(kind)) return {{"inOut", FieldDirection::InOut, type, groups}};
  return {{"in", FieldDirection::Input, type, groups},
          {"out", FieldDirection::Output, type, groups}};
}

constexpr Words<ElementType, 3> kOperandTypeWords{
    {{ElementType::Half, "half"}, {ElementType::Float, "float"}, {ElementType::Bool, "bool"}}};

/// The operators of vertices alone, beside those on numbers: of bools.
const std::vector<UnaryOperator>& allUnaryOperators() {
  static const std::vector<UnaryOperator> kRows = [] {
    std::vector<UnaryOperator> rows = unaryOperators();
    const auto compute = [](const UnaryOpVertexShape& shape, const VertexData& data) {
      const std::size_t out_field = isInPlace(shape.kind) ? 0 : 1;
      for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
        const auto* in = data.as<std::uint8_t>(0, run);
        std::transform(in, in + shape.runs.lengths()[run], data.as<std::uint8_t>(out_field, run),
                       [](std::uint8_t x) { return static_cast<std::uint8_t>(x == 0); });
      }
    };
    rows.push_back({models::UnaryOp::LogicalNot, "logical_not",
                    [](double x) { return x == 0 ? 1.0 : 0.0; }, Domain::All, compute});
    return rows;
  }();
  return kRows;
}

VertexType readUnaryOp(const ConfigReader& config, const Architecture& /*machine*/) {
  const auto kind =
      readOperatorKind<models::UnaryOpKind>(config, allUnaryOperators(), kOperandTypeWords);
  const bool is_bool = kind.type.element() == ElementType::Bool;
  if (is_bool != (kind.op == models::UnaryOp::LogicalNot)) {
    throw config.error("op", is_bool ? "logical_not of bools" : "an operator on numbers");
  }
  return unaryOpVertex({kind, Runs::read(config)});
}

}  // namespace

const std::vector<UnaryOperator>& unaryOperators() {
  using Op = models::UnaryOp;
  static const std::vector<UnaryOperator> kRows{
      row(Op::Absolute, "absolute", [](auto x) { return std::abs(x); }),
      row(
          Op::Asin, "asin", [](auto x) { return std::asin(x); }, Domain::Part),
      row(Op::Ceil, "ceil", [](auto x) { return std::ceil(x); }),
      row(Op::Cos, "cos", [](auto x) { return std::cos(x); }),
      row(Op::Erf, "erf", [](auto x) { return std::erf(x); }),
      row(
          Op::Exponent, "exponent", [](auto x) { return std::exp(x); }, Domain::Moderate),
      row(
          Op::Exponent2, "exponent2", [](auto x) { return std::exp2(x); }, Domain::Moderate),
      row(
          Op::ExponentMinusOne, "exponent_minus_one", [](auto x) { return std::expm1(x); },
          Domain::Moderate),
      row(Op::Floor, "floor", [](auto x) { return std::floor(x); }),
      row(Op::GeluErf, "gelu_erf", [](auto x) { return x * normalBelow(x); }),
      row(
          Op::Inverse, "inverse", [](auto x) { return 1 / x; }, Domain::Part),
      row(
          Op::Logarithm, "logarithm", [](auto x) { return std::log(x); }, Domain::Part),
      row(
          Op::LogarithmOnePlus, "logarithm_one_plus", [](auto x) { return std::log1p(x); },
          Domain::Part),
      row(Op::NearbyInt, "nearby_int", [](auto x) { return std::nearbyint(x); }),
      row(Op::Negate, "negate", [](auto x) { return -x; }),
      row(Op::Relu, "relu", [](auto x) { return std::max(x, decltype(x)(0)); }),
      row(
          Op::Rsqrt, "rsqrt", [](auto x) { return 1 / std::sqrt(x); }, Domain::Part),
      row(Op::Sigmoid, "sigmoid", [](auto x) { return logistic(x); }),
      row(Op::Signum, "signum",
          [](auto x) { return static_cast<decltype(x)>(x > 0) - static_cast<decltype(x)>(x < 0); }),
      row(Op::Sin, "sin", [](auto x) { return std::sin(x); }),
      row(
          Op::Sqrt, "sqrt", [](auto x) { return std::sqrt(x); }, Domain::Part),
      row(Op::Square, "square", [](auto x) { return x * x; }),
      row(Op::Tan, "tan", [](auto x) { return std::tan(x); }),
      row(Op::Tanh, "tanh", [](auto x) { return std::tanh(x); }),
      row(Op::Truncate, "truncate", [](auto x) { return std::trunc(x); }),
  };
  return kRows;
}

const UnaryOperator& operatorOf(models::UnaryOp op) {
  return operatorIn(allUnaryOperators(), op);
}

VertexType unaryOpVertex(UnaryOpVertexShape shape) {
  const models::UnaryOpKind& kind = shape.kind;
  const bool in_place = isInPlace(kind);
  VertexType type = operatorType(
      {"popops::UnaryOp", operatorOf(kind.op).word, wordOf(kind.type.element(), kOperandTypeWords)},
      kind.placement, shape.runs);
  type.maker = kUnaryOpEntry.name;
  type.fields = fieldsOf(kind, shape.runs.groups());
  type.sizes = {in_place ? kUnaryOpInPlaceStateBytes : kUnaryOpStateBytes,
                shape.runs.tableBytes(in_place ? kUnaryOpInPlaceRunBytes : kUnaryOpRunBytes),
                kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(shape.runs.elements()));
  return withFunctions<UnaryOpVertexShape>(std::move(type), std::move(shape),
                                           {unaryOpCost, computeUnaryOp});
}

const VertexEntry kUnaryOpEntry{
    "unary_op", "elementwise on one operand, UnaryOp: op, type, in_place, elements, regions",
    readUnaryOp};

}  // namespace ipusim::workloads
