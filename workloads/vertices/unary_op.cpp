// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "ipusim/error.h"
#include "workloads/vertices/elementwise.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/map_numbers.h"
#include "workloads/vertices/nonlinear_functions.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/operator_type.h"
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

using Op = models::UnaryOp;
constexpr Words<Op, 19> kUnaryOpWords{{{Op::Absolute, "absolute"},
                                       {Op::Ceil, "ceil"},
                                       {Op::Erf, "erf"},
                                       {Op::Exponent, "exponent"},
                                       {Op::Exponent2, "exponent2"},
                                       {Op::ExponentMinusOne, "exponent_minus_one"},
                                       {Op::GeluErf, "gelu_erf"},
                                       {Op::Inverse, "inverse"},
                                       {Op::Logarithm, "logarithm"},
                                       {Op::LogarithmOnePlus, "logarithm_one_plus"},
                                       {Op::Negate, "negate"},
                                       {Op::Relu, "relu"},
                                       {Op::Rsqrt, "rsqrt"},
                                       {Op::Sigmoid, "sigmoid"},
                                       {Op::Signum, "signum"},
                                       {Op::Sqrt, "sqrt"},
                                       {Op::Square, "square"},
                                       {Op::Tanh, "tanh"},
                                       {Op::Truncate, "truncate"}}};

float geluErf(float x) {
  return x * normalBelow(x);
}

float signum(float x) {
  return static_cast<float>(x > 0) - static_cast<float>(x < 0);
}

/// Calls `use` with the function that `op` is.
template <typename Use>
void withOp(Op op, const Use& use) {
  switch (op) {
    case Op::Absolute:
      return use([](float x) { return std::abs(x); });
    case Op::Ceil:
      return use([](float x) { return std::ceil(x); });
    case Op::Erf:
      return use([](float x) { return std::erf(x); });
    case Op::Exponent:
      return use([](float x) { return std::exp(x); });
    case Op::Exponent2:
      return use([](float x) { return std::exp2(x); });
    case Op::ExponentMinusOne:
      return use([](float x) { return std::expm1(x); });
    case Op::GeluErf:
      return use(geluErf);
    case Op::Inverse:
      return use([](float x) { return 1 / x; });
    case Op::Logarithm:
      return use([](float x) { return std::log(x); });
    case Op::LogarithmOnePlus:
      return use([](float x) { return std::log1p(x); });
    case Op::Negate:
      return use([](float x) { return -x; });
    case Op::Relu:
      return use([](float x) { return std::max(x, 0.0F); });
    case Op::Rsqrt:
      return use([](float x) { return 1 / std::sqrt(x); });
    case Op::Sigmoid:
      return use(logistic);
    case Op::Signum:
      return use(signum);
    case Op::Sqrt:
      return use([](float x) { return std::sqrt(x); });
    case Op::Square:
      return use([](float x) { return x * x; });
    case Op::Tanh:
      return use([](float x) { return std::tanh(x); });
    case Op::Truncate:
      return use([](float x) { return std::trunc(x); });
    default:
      throw InternalError("an operator that no vertex here computes");
  }
}

bool isInPlace(const models::UnaryOpKind& kind) {
  return kind.placement == OpPlacement::InPlace;
}

Cycles unaryOpCost(const UnaryOpVertexShape& shape, const Architecture& machine) {
  const Runs& runs = shape.runs;
  if (runs.isOne()) return models::unaryOpCycles(machine, {shape.kind, runs.elements()});
  return models::unaryOp2dCycles(machine, {shape.kind, runs.lengths()});
}

void computeUnaryOp(const UnaryOpVertexShape& shape, const VertexData& data) {
  const std::size_t out_field = isInPlace(shape.kind) ? 0 : 1;
  withNumber(shape.kind.type.element(), [&](auto number) {
    using Number = decltype(number);
    withOp(shape.kind.op, [&](auto function) {
      for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
        mapNumbers(shape.runs.lengths()[run], function, data.as<Number>(0, run),
                   data.as<Number>(out_field, run));
      }
    });
  });
}

std::vector<Field> fieldsOf(const models::UnaryOpKind& kind, const EdgeGroups& groups) {
  const ElementType type = kind.type.element();
  if (isInPlace(kind)) return {{"inOut", FieldDirection::InOut, type, groups}};
  return {{"in", FieldDirection::Input, type, groups},
          {"out", FieldDirection::Output, type, groups}};
}

VertexType readUnaryOp(const ConfigReader& config, const Architecture& /*machine*/) {
  return unaryOpVertex(
      {readOperator<models::UnaryOpKind>(config, kUnaryOpWords, kNumberWords), Runs::read(config)});
}

}  // namespace

VertexType unaryOpVertex(UnaryOpVertexShape shape) {
  const models::UnaryOpKind& kind = shape.kind;
  const bool in_place = isInPlace(kind);
  VertexType type = operatorType({"popops::UnaryOp", wordOf(kind.op, kUnaryOpWords),
                                  wordOf(kind.type.element(), kNumberWords)},
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
