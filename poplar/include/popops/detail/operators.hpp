// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/map.hpp"

// The functions of popops that apply one operator, under the names that programs call. The two
// macros exist in this file only: each operator has the same set of functions.

/// NAME(a), NAMEInPlace(a) and NAMEWithOutput(a, out).
#define IPUSIM_UNARY(NAME, OPERATOR)                                                          \
  inline poplar::Tensor NAME(                                                                 \
      poplar::Graph& graph, const poplar::Tensor& a, poplar::program::Sequence& program,      \
      const poplar::DebugContext& name = #NAME, const poplar::OptionFlags& = {}) {            \
    return detail::unary({graph, program, name}, OPERATOR, a);                                \
  }                                                                                           \
  inline void NAME##InPlace(                                                                  \
      poplar::Graph& graph, const poplar::Tensor& a, poplar::program::Sequence& program,      \
      const poplar::DebugContext& name = #NAME, const poplar::OptionFlags& = {}) {            \
    detail::runOperator({graph, program, name}, OPERATOR, {a}, a);                            \
  }                                                                                           \
  inline void NAME##WithOutput(poplar::Graph& graph, const poplar::Tensor& a,                 \
                               const poplar::Tensor& out, poplar::program::Sequence& program, \
                               const poplar::DebugContext& name = #NAME,                      \
                               const poplar::OptionFlags& = {}) {                             \
    detail::runOperator({graph, program, name}, OPERATOR, {a}, out);                          \
  }

/// NAME(a, b), NAMEInPlace(a, b) and NAMEWithOutput(a, b, out), where b may be a number, and NAME
/// of a number and a tensor.
#define IPUSIM_BINARY(NAME, OPERATOR)                                                              \
  inline poplar::Tensor NAME(poplar::Graph& graph, const poplar::Tensor& a,                        \
                             const poplar::Tensor& b, poplar::program::Sequence& program,          \
                             const poplar::DebugContext& name = #NAME,                             \
                             const poplar::OptionFlags& = {}) {                                    \
    return detail::binary({graph, program, name}, OPERATOR, a, b);                                 \
  }                                                                                                \
  template <typename Number, poplar::detail::IfNumber<Number> = 0>                                 \
  poplar::Tensor NAME(poplar::Graph& graph, const poplar::Tensor& a, Number b,                     \
                      poplar::program::Sequence& program,                                          \
                      const poplar::DebugContext& name = #NAME, const poplar::OptionFlags& = {}) { \
    return detail::binary({graph, program, name}, OPERATOR, a, detail::scalarLike(graph, a, b));   \
  }                                                                                                \
  template <typename Number, poplar::detail::IfNumber<Number> = 0>                                 \
  poplar::Tensor NAME(poplar::Graph& graph, Number a, const poplar::Tensor& b,                     \
                      poplar::program::Sequence& program,                                          \
                      const poplar::DebugContext& name = #NAME, const poplar::OptionFlags& = {}) { \
    return detail::binary({graph, program, name}, OPERATOR, detail::scalarLike(graph, b, a), b);   \
  }                                                                                                \
  inline void NAME##InPlace(poplar::Graph& graph, const poplar::Tensor& a,                         \
                            const poplar::Tensor& b, poplar::program::Sequence& program,           \
                            const poplar::DebugContext& name = #NAME,                              \
                            const poplar::OptionFlags& = {}) {                                     \
    detail::runOperator({graph, program, name}, OPERATOR, {a, b}, a);                              \
  }                                                                                                \
  template <typename Number, poplar::detail::IfNumber<Number> = 0>                                 \
  void NAME##InPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,                      \
                     poplar::program::Sequence& program, const poplar::DebugContext& name = #NAME, \
                     const poplar::OptionFlags& = {}) {                                            \
    detail::runOperator({graph, program, name}, OPERATOR, {a, detail::scalarLike(graph, a, b)},    \
                        a);                                                                        \
  }                                                                                                \
  inline void NAME##WithOutput(                                                                    \
      poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,                      \
      const poplar::Tensor& out, poplar::program::Sequence& program,                               \
      const poplar::DebugContext& name = #NAME, const poplar::OptionFlags& = {}) {                 \
    detail::runOperator({graph, program, name}, OPERATOR, {a, b}, out);                            \
  }                                                                                                \
  template <typename Number, poplar::detail::IfNumber<Number> = 0>                                 \
  void NAME##WithOutput(poplar::Graph& graph, const poplar::Tensor& a, Number b,                   \
                        const poplar::Tensor& out, poplar::program::Sequence& program,             \
                        const poplar::DebugContext& name = #NAME,                                  \
                        const poplar::OptionFlags& = {}) {                                         \
    detail::runOperator({graph, program, name}, OPERATOR, {a, detail::scalarLike(graph, a, b)},    \
                        out);                                                                      \
  }                                                                                                \
  template <typename Number, poplar::detail::IfNumber<Number> = 0>                                 \
  void NAME##WithOutput(poplar::Graph& graph, Number a, const poplar::Tensor& b,                   \
                        const poplar::Tensor& out, poplar::program::Sequence& program,             \
                        const poplar::DebugContext& name = #NAME,                                  \
                        const poplar::OptionFlags& = {}) {                                         \
    detail::runOperator({graph, program, name}, OPERATOR, {detail::scalarLike(graph, b, a), b},    \
                        out);                                                                      \
  }

namespace popops {

IPUSIM_UNARY(abs, "absolute")
IPUSIM_UNARY(asin, "asin")
IPUSIM_UNARY(bitwiseNot, "bitwise_not")
IPUSIM_UNARY(cbrt, "cbrt")
IPUSIM_UNARY(ceil, "ceil")
IPUSIM_UNARY(cos, "cos")
IPUSIM_UNARY(countLeadingZeros, "leading_zeros")
IPUSIM_UNARY(erf, "erf")
IPUSIM_UNARY(exp, "exponent")
IPUSIM_UNARY(exp2, "exponent2")
IPUSIM_UNARY(expm1, "exponent_minus_one")
IPUSIM_UNARY(floor, "floor")
IPUSIM_UNARY(geluErf, "gelu_erf")
IPUSIM_UNARY(inv, "inverse")
IPUSIM_UNARY(isFinite, "is_finite")
IPUSIM_UNARY(isInf, "is_inf")
IPUSIM_UNARY(isNaN, "is_nan")
IPUSIM_UNARY(log, "logarithm")
IPUSIM_UNARY(log1p, "logarithm_one_plus")
IPUSIM_UNARY(logicalNot, "logical_not")
IPUSIM_UNARY(nearbyint, "nearby_int")
IPUSIM_UNARY(neg, "negate")
IPUSIM_UNARY(popcount, "popcount")
IPUSIM_UNARY(relu, "relu")
IPUSIM_UNARY(round, "round")
IPUSIM_UNARY(rsqrt, "rsqrt")
IPUSIM_UNARY(sigmoid, "sigmoid")
IPUSIM_UNARY(signum, "signum")
IPUSIM_UNARY(sin, "sin")
IPUSIM_UNARY(sqrt, "sqrt")
IPUSIM_UNARY(square, "square")
IPUSIM_UNARY(tan, "tan")
IPUSIM_UNARY(tanh, "tanh")
IPUSIM_UNARY(trunc, "truncate")

IPUSIM_BINARY(add, "add")
IPUSIM_BINARY(atan2, "atan2")
IPUSIM_BINARY(bitwiseAnd, "bitwise_and")
IPUSIM_BINARY(bitwiseOr, "bitwise_or")
IPUSIM_BINARY(bitwiseXnor, "bitwise_xnor")
IPUSIM_BINARY(bitwiseXor, "bitwise_xor")
IPUSIM_BINARY(div, "divide")
IPUSIM_BINARY(eq, "equal")
IPUSIM_BINARY(gt, "greater_than")
IPUSIM_BINARY(gteq, "greater_or_equal")
IPUSIM_BINARY(invStdDevToVariance, "inv_std_dev_to_variance")
IPUSIM_BINARY(logicalAnd, "logical_and")
IPUSIM_BINARY(logicalOr, "logical_or")
IPUSIM_BINARY(lt, "less_than")
IPUSIM_BINARY(lteq, "less_or_equal")
IPUSIM_BINARY(max, "maximum")
IPUSIM_BINARY(min, "minimum")
IPUSIM_BINARY(mul, "multiply")
IPUSIM_BINARY(neq, "not_equal")
IPUSIM_BINARY(pow, "power")
IPUSIM_BINARY(rem, "remainder")
IPUSIM_BINARY(shiftLeft, "shift_left")
IPUSIM_BINARY(shiftRight, "shift_right")
IPUSIM_BINARY(shiftRightSignExtend, "shift_right_sign")
IPUSIM_BINARY(sub, "subtract")
IPUSIM_BINARY(varianceToInvStdDev, "variance_to_inv_std_dev")

#undef IPUSIM_UNARY
#undef IPUSIM_BINARY

namespace detail {

/// A tensor as it is; a number as a constant of the type of `like`.
inline poplar::Tensor operandLike(poplar::Graph&, const poplar::Tensor&,
                                  const poplar::Tensor& operand) {
  return operand;
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor operandLike(poplar::Graph& graph, const poplar::Tensor& like, Number operand) {
  return scalarLike(graph, like, operand);
}

/// The tensor among two operands.
template <typename Other>
const poplar::Tensor& tensorOf(const poplar::Tensor& a, const Other&) {
  return a;
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
const poplar::Tensor& tensorOf(Number, const poplar::Tensor& b) {
  return b;
}

}  // namespace detail

/// The elements of `a` where `first` is true, or else those of `b`. `a` or `b` may be a number, not
/// both.
template <typename A, typename B>
poplar::Tensor select(poplar::Graph& graph, const A& a, const B& b, const poplar::Tensor& first,
                      poplar::program::Sequence& program,
                      const poplar::DebugContext& name = "select",
                      const poplar::OptionFlags& = {}) {
  const poplar::Tensor like = detail::tensorOf(a, b);
  return map(graph, expr::TernaryOpType::SELECT, detail::operandLike(graph, like, a),
             detail::operandLike(graph, like, b), first, program, name);
}
template <typename B>
void selectInPlace(poplar::Graph& graph, const poplar::Tensor& a, const B& b,
                   const poplar::Tensor& first, poplar::program::Sequence& program,
                   const poplar::DebugContext& name = "selectInPlace",
                   const poplar::OptionFlags& = {}) {
  mapInPlace(graph, expr::TernaryOpType::SELECT, a, detail::operandLike(graph, a, b), first,
             program, name);
}
template <typename A, typename B>
void selectWithOutput(poplar::Graph& graph, const A& a, const B& b, const poplar::Tensor& first,
                      const poplar::Tensor& out, poplar::program::Sequence& program,
                      const poplar::DebugContext& name = "select",
                      const poplar::OptionFlags& = {}) {
  const poplar::Tensor like = detail::tensorOf(a, b);
  mapWithOutput(graph, expr::TernaryOpType::SELECT, detail::operandLike(graph, like, a),
                detail::operandLike(graph, like, b), first, out, program, name);
}

/// The elements of `a`, not below `low` and not above `high`, which are tensors or numbers.
template <typename Low, typename High>
poplar::Tensor clamp(poplar::Graph& graph, const poplar::Tensor& a, const Low& low,
                     const High& high, poplar::program::Sequence& program,
                     const poplar::DebugContext& name = "clamp", const poplar::OptionFlags& = {}) {
  return map(graph, expr::TernaryOpType::CLAMP, a, detail::operandLike(graph, a, low),
             detail::operandLike(graph, a, high), program, name);
}
template <typename Low, typename High>
void clampInPlace(poplar::Graph& graph, const poplar::Tensor& a, const Low& low, const High& high,
                  poplar::program::Sequence& program,
                  const poplar::DebugContext& name = "clampInPlace",
                  const poplar::OptionFlags& = {}) {
  mapInPlace(graph, expr::TernaryOpType::CLAMP, a, detail::operandLike(graph, a, low),
             detail::operandLike(graph, a, high), program, name);
}
template <typename Low, typename High>
void clampWithOutput(poplar::Graph& graph, const poplar::Tensor& a, const Low& low,
                     const High& high, const poplar::Tensor& out,
                     poplar::program::Sequence& program, const poplar::DebugContext& name = "clamp",
                     const poplar::OptionFlags& = {}) {
  mapWithOutput(graph, expr::TernaryOpType::CLAMP, a, detail::operandLike(graph, a, low),
                detail::operandLike(graph, a, high), out, program, name);
}

}  // namespace popops
