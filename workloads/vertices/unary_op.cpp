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
#include "workloads/vertices/operators.h"
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

// The functions, on floats as vertices compute them and on doubles.
namespace unary_functions {

struct Magnitude {
  template <typename Number>
  Number operator()(Number x) const {
    return std::abs(x);
  }
};
struct Ceiling {
  template <typename Number>
  Number operator()(Number x) const {
    return std::ceil(x);
  }
};
struct ErrorFunction {
  template <typename Number>
  Number operator()(Number x) const {
    return std::erf(x);
  }
};
struct Exponential {
  template <typename Number>
  Number operator()(Number x) const {
    return std::exp(x);
  }
};
struct PowerOfTwo {
  template <typename Number>
  Number operator()(Number x) const {
    return std::exp2(x);
  }
};
struct ExponentialMinusOne {
  template <typename Number>
  Number operator()(Number x) const {
    return std::expm1(x);
  }
};
struct Gelu {
  template <typename Number>
  Number operator()(Number x) const {
    return x * normalBelow(x);
  }
};
struct Inverse {
  template <typename Number>
  Number operator()(Number x) const {
    return 1 / x;
  }
};
struct Logarithm {
  template <typename Number>
  Number operator()(Number x) const {
    return std::log(x);
  }
};
struct LogarithmOnePlus {
  template <typename Number>
  Number operator()(Number x) const {
    return std::log1p(x);
  }
};
struct Negative {
  template <typename Number>
  Number operator()(Number x) const {
    return -x;
  }
};
struct Rectified {
  template <typename Number>
  Number operator()(Number x) const {
    return std::max(x, Number(0));
  }
};
struct InverseRoot {
  template <typename Number>
  Number operator()(Number x) const {
    return 1 / std::sqrt(x);
  }
};
struct Logistic {
  template <typename Number>
  Number operator()(Number x) const {
    return logistic(x);
  }
};
struct Sign {
  template <typename Number>
  Number operator()(Number x) const {
    return static_cast<Number>(x > 0) - static_cast<Number>(x < 0);
  }
};
struct Root {
  template <typename Number>
  Number operator()(Number x) const {
    return std::sqrt(x);
  }
};
struct Square {
  template <typename Number>
  Number operator()(Number x) const {
    return x * x;
  }
};
struct Tanh {
  template <typename Number>
  Number operator()(Number x) const {
    return std::tanh(x);
  }
};
struct Truncated {
  template <typename Number>
  Number operator()(Number x) const {
    return std::trunc(x);
  }
};

}  // namespace unary_functions

bool isInPlace(const models::UnaryOpKind& kind) {
  return kind.placement == OpPlacement::InPlace;
}

Cycles unaryOpCost(const UnaryOpVertexShape& shape, const Architecture& machine) {
  const Runs& runs = shape.runs;
  if (runs.isOne()) return models::unaryOpCycles(machine, {shape.kind, runs.elements()});
  return models::unaryOp2dCycles(machine, {shape.kind, runs.lengths()});
}

template <typename Function>
void computeBy(const UnaryOpVertexShape& shape, const VertexData& data) {
  const std::size_t out_field = isInPlace(shape.kind) ? 0 : 1;
  withNumber(shape.kind.type.element(), [&](auto number) {
    using Number = decltype(number);
    for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
      mapNumbers(shape.runs.lengths()[run], Function(), data.as<Number>(0, run),
                 data.as<Number>(out_field, run));
    }
  });
}

template <typename Function>
double onDoubles(double x) {
  return Function()(x);
}

template <typename Function>
UnaryOperator row(models::UnaryOp op, const char* word, Domain domain = Domain::All) {
  return {op, word, onDoubles<Function>, domain, computeBy<Function>};
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
  using namespace unary_functions;
  static const std::vector<UnaryOperator> kRows{
      row<Magnitude>(Op::Absolute, "absolute"),
      row<Ceiling>(Op::Ceil, "ceil"),
      row<ErrorFunction>(Op::Erf, "erf"),
      row<Exponential>(Op::Exponent, "exponent", Domain::Moderate),
      row<PowerOfTwo>(Op::Exponent2, "exponent2", Domain::Moderate),
      row<ExponentialMinusOne>(Op::ExponentMinusOne, "exponent_minus_one", Domain::Moderate),
      row<Gelu>(Op::GeluErf, "gelu_erf"),
      row<Inverse>(Op::Inverse, "inverse", Domain::Part),
      row<Logarithm>(Op::Logarithm, "logarithm", Domain::Part),
      row<LogarithmOnePlus>(Op::LogarithmOnePlus, "logarithm_one_plus", Domain::Part),
      row<Negative>(Op::Negate, "negate"),
      row<Rectified>(Op::Relu, "relu"),
      row<InverseRoot>(Op::Rsqrt, "rsqrt", Domain::Part),
      row<Logistic>(Op::Sigmoid, "sigmoid"),
      row<Sign>(Op::Signum, "signum"),
      row<Root>(Op::Sqrt, "sqrt", Domain::Part),
      row<Square>(Op::Square, "square"),
      row<Tanh>(Op::Tanh, "tanh"),
      row<Truncated>(Op::Truncate, "truncate"),
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
