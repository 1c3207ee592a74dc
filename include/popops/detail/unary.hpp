// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/elementwise.hpp"

namespace popops {

inline poplar::Tensor abs(poplar::Graph& graph, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "abs") {
  return detail::unary(graph, "absolute", a, program, name);
}
inline void absInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "absInPlace") {
  detail::unaryInPlace(graph, "absolute", a, program, name);
}

inline poplar::Tensor ceil(poplar::Graph& graph, const poplar::Tensor& a,
                           poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "ceil") {
  return detail::unary(graph, "ceil", a, program, name);
}
inline void ceilInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                        poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "ceilInPlace") {
  detail::unaryInPlace(graph, "ceil", a, program, name);
}

inline poplar::Tensor exp(poplar::Graph& graph, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "exp") {
  return detail::unary(graph, "exponent", a, program, name);
}
inline void expInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "expInPlace") {
  detail::unaryInPlace(graph, "exponent", a, program, name);
}

inline poplar::Tensor expm1(poplar::Graph& graph, const poplar::Tensor& a,
                            poplar::program::Sequence& program,
                            const poplar::DebugContext& name = "expm1") {
  return detail::unary(graph, "exponent_minus_one", a, program, name);
}
inline void expm1InPlace(poplar::Graph& graph, const poplar::Tensor& a,
                         poplar::program::Sequence& program,
                         const poplar::DebugContext& name = "expm1InPlace") {
  detail::unaryInPlace(graph, "exponent_minus_one", a, program, name);
}

inline poplar::Tensor inv(poplar::Graph& graph, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "inv") {
  return detail::unary(graph, "inverse", a, program, name);
}
inline void invInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "invInPlace") {
  detail::unaryInPlace(graph, "inverse", a, program, name);
}

inline poplar::Tensor log(poplar::Graph& graph, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "log") {
  return detail::unary(graph, "logarithm", a, program, name);
}
inline void logInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "logInPlace") {
  detail::unaryInPlace(graph, "logarithm", a, program, name);
}

inline poplar::Tensor log1p(poplar::Graph& graph, const poplar::Tensor& a,
                            poplar::program::Sequence& program,
                            const poplar::DebugContext& name = "log1p") {
  return detail::unary(graph, "logarithm_one_plus", a, program, name);
}
inline void log1pInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                         poplar::program::Sequence& program,
                         const poplar::DebugContext& name = "log1pInPlace") {
  detail::unaryInPlace(graph, "logarithm_one_plus", a, program, name);
}

inline poplar::Tensor neg(poplar::Graph& graph, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "neg") {
  return detail::unary(graph, "negate", a, program, name);
}
inline void negInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "negInPlace") {
  detail::unaryInPlace(graph, "negate", a, program, name);
}

inline poplar::Tensor rsqrt(poplar::Graph& graph, const poplar::Tensor& a,
                            poplar::program::Sequence& program,
                            const poplar::DebugContext& name = "rsqrt") {
  return detail::unary(graph, "rsqrt", a, program, name);
}
inline void rsqrtInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                         poplar::program::Sequence& program,
                         const poplar::DebugContext& name = "rsqrtInPlace") {
  detail::unaryInPlace(graph, "rsqrt", a, program, name);
}

inline poplar::Tensor sigmoid(poplar::Graph& graph, const poplar::Tensor& a,
                              poplar::program::Sequence& program,
                              const poplar::DebugContext& name = "sigmoid") {
  return detail::unary(graph, "sigmoid", a, program, name);
}
inline void sigmoidInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                           poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "sigmoidInPlace") {
  detail::unaryInPlace(graph, "sigmoid", a, program, name);
}

inline poplar::Tensor signum(poplar::Graph& graph, const poplar::Tensor& a,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "signum") {
  return detail::unary(graph, "signum", a, program, name);
}
inline void signumInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "signumInPlace") {
  detail::unaryInPlace(graph, "signum", a, program, name);
}

inline poplar::Tensor sqrt(poplar::Graph& graph, const poplar::Tensor& a,
                           poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "sqrt") {
  return detail::unary(graph, "sqrt", a, program, name);
}
inline void sqrtInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                        poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "sqrtInPlace") {
  detail::unaryInPlace(graph, "sqrt", a, program, name);
}

inline poplar::Tensor square(poplar::Graph& graph, const poplar::Tensor& a,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "square") {
  return detail::unary(graph, "square", a, program, name);
}
inline void squareInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "squareInPlace") {
  detail::unaryInPlace(graph, "square", a, program, name);
}

inline poplar::Tensor tanh(poplar::Graph& graph, const poplar::Tensor& a,
                           poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "tanh") {
  return detail::unary(graph, "tanh", a, program, name);
}
inline void tanhInPlace(poplar::Graph& graph, const poplar::Tensor& a,
                        poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "tanhInPlace") {
  detail::unaryInPlace(graph, "tanh", a, program, name);
}

}  // namespace popops
