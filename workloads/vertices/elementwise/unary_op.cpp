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

VertexType readUnaryOp(const ConfigReader& config, const Architecture& /*machine*/) {
  return unaryOpVertex(
      {readOperatorKind<models::UnaryOpKind>(config, unaryOperators(), kNumberWords),
       Runs::read(config)});
}

}  // namespace

const std::vector<UnaryOperator>& unaryOperators() {
  using Op = models::UnaryOp;
  static const std::vector<UnaryOperator> kRows{
      row(Op::Absolute, "absolute", [](auto x) { return std::abs(x); }),
      row(Op::Ceil, "ceil", [](auto x) { return std::ceil(x); }),
      row(Op::Erf, "erf", [](auto x) { return std::erf(x); }),
      row(
          Op::Exponent, "exponent", [](auto x) { return std::exp(x); }, Domain::Moderate),
      row(
          Op::Exponent2, "exponent2", [](auto x) { return std::exp2(x); }, Domain::Moderate),
      row(
          Op::ExponentMinusOne, "exponent_minus_one", [](auto x) { return std::expm1(x); },
          Domain::Moderate),
      row(Op::GeluErf, "gelu_erf", [](auto x) { return x * normalBelow(x); }),
      row(
          Op::Inverse, "inverse", [](auto x) { return 1 / x; }, Domain::Part),
      row(
          Op::Logarithm, "logarithm", [](auto x) { return std::log(x); }, Domain::Part),
      row(
          Op::LogarithmOnePlus, "logarithm_one_plus", [](auto x) { return std::log1p(x); },
          Domain::Part),
      row(Op::Negate, "negate", [](auto x) { return -x; }),
      row(Op::Relu, "relu", [](auto x) { return std::max(x, decltype(x)(0)); }),
      row(
          Op::Rsqrt, "rsqrt", [](auto x) { return 1 / std::sqrt(x); }, Domain::Part),
      row(Op::Sigmoid, "sigmoid", [](auto x) { return logistic(x); }),
      row(Op::Signum, "signum",
          [](auto x) { return static_cast<decltype(x)>(x > 0) - static_cast<decltype(x)>(x < 0); }),
      row(
          Op::Sqrt, "sqrt", [](auto x) { return std::sqrt(x); }, Domain::Part),
      row(Op::Square, "square", [](auto x) { return x * x; }),
      row(Op::Tanh, "tanh", [](auto x) { return std::tanh(x); }),
      row(Op::Truncate, "truncate", [](auto x) { return std::trunc(x); }),
  };
  return kRows;
}

const UnaryOperator& operatorOf(models::UnaryOp op) {
  return operatorIn(unaryOperators(), op);
}

VertexType unaryOpVertex(UnaryOpVertexShape shape) {
  const models::UnaryOpKind& kind = shape.kind;
  const bool in_place = isInPlace(kind);
  VertexType type = operatorType(
      {"popops::UnaryOp", operatorOf(kind.op).word, wordOf(kind.type.element(), kNumberWords)},
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
