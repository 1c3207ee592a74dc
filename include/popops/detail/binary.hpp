// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "popops/detail/elementwise.hpp"

namespace popops {

inline poplar::Tensor add(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "add") {
  return detail::binary(graph, "add", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor add(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "add") {
  return detail::binary(graph, "add", a, detail::scalarLike(graph, a, b), program, name);
}
inline void addInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "addInPlace") {
  detail::binaryInPlace(graph, "add", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
void addInPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                poplar::program::Sequence& program,
                const poplar::DebugContext& name = "addInPlace") {
  detail::binaryInPlace(graph, "add", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor sub(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "sub") {
  return detail::binary(graph, "subtract", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor sub(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "sub") {
  return detail::binary(graph, "subtract", a, detail::scalarLike(graph, a, b), program, name);
}
inline void subInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "subInPlace") {
  detail::binaryInPlace(graph, "subtract", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
void subInPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                poplar::program::Sequence& program,
                const poplar::DebugContext& name = "subInPlace") {
  detail::binaryInPlace(graph, "subtract", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor mul(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "mul") {
  return detail::binary(graph, "multiply", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor mul(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "mul") {
  return detail::binary(graph, "multiply", a, detail::scalarLike(graph, a, b), program, name);
}
inline void mulInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "mulInPlace") {
  detail::binaryInPlace(graph, "multiply", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
void mulInPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                poplar::program::Sequence& program,
                const poplar::DebugContext& name = "mulInPlace") {
  detail::binaryInPlace(graph, "multiply", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor div(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "div") {
  return detail::binary(graph, "divide", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor div(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "div") {
  return detail::binary(graph, "divide", a, detail::scalarLike(graph, a, b), program, name);
}
inline void divInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "divInPlace") {
  detail::binaryInPlace(graph, "divide", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
void divInPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                poplar::program::Sequence& program,
                const poplar::DebugContext& name = "divInPlace") {
  detail::binaryInPlace(graph, "divide", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor max(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "max") {
  return detail::binary(graph, "maximum", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor max(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "max") {
  return detail::binary(graph, "maximum", a, detail::scalarLike(graph, a, b), program, name);
}
inline void maxInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "maxInPlace") {
  detail::binaryInPlace(graph, "maximum", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
void maxInPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                poplar::program::Sequence& program,
                const poplar::DebugContext& name = "maxInPlace") {
  detail::binaryInPlace(graph, "maximum", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor min(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "min") {
  return detail::binary(graph, "minimum", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor min(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "min") {
  return detail::binary(graph, "minimum", a, detail::scalarLike(graph, a, b), program, name);
}
inline void minInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "minInPlace") {
  detail::binaryInPlace(graph, "minimum", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
void minInPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                poplar::program::Sequence& program,
                const poplar::DebugContext& name = "minInPlace") {
  detail::binaryInPlace(graph, "minimum", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor pow(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "pow") {
  return detail::binary(graph, "power", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor pow(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "pow") {
  return detail::binary(graph, "power", a, detail::scalarLike(graph, a, b), program, name);
}
inline void powInPlace(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "powInPlace") {
  detail::binaryInPlace(graph, "power", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
void powInPlace(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                poplar::program::Sequence& program,
                const poplar::DebugContext& name = "powInPlace") {
  detail::binaryInPlace(graph, "power", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor eq(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                         poplar::program::Sequence& program,
                         const poplar::DebugContext& name = "eq") {
  return detail::binary(graph, "equal", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor eq(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                  poplar::program::Sequence& program, const poplar::DebugContext& name = "eq") {
  return detail::binary(graph, "equal", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor neq(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "neq") {
  return detail::binary(graph, "not_equal", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor neq(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                   poplar::program::Sequence& program, const poplar::DebugContext& name = "neq") {
  return detail::binary(graph, "not_equal", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor lt(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                         poplar::program::Sequence& program,
                         const poplar::DebugContext& name = "lt") {
  return detail::binary(graph, "less_than", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor lt(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                  poplar::program::Sequence& program, const poplar::DebugContext& name = "lt") {
  return detail::binary(graph, "less_than", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor lteq(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                           poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "lteq") {
  return detail::binary(graph, "less_or_equal", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor lteq(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                    poplar::program::Sequence& program, const poplar::DebugContext& name = "lteq") {
  return detail::binary(graph, "less_or_equal", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor gt(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                         poplar::program::Sequence& program,
                         const poplar::DebugContext& name = "gt") {
  return detail::binary(graph, "greater_than", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor gt(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                  poplar::program::Sequence& program, const poplar::DebugContext& name = "gt") {
  return detail::binary(graph, "greater_than", a, detail::scalarLike(graph, a, b), program, name);
}

inline poplar::Tensor gteq(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                           poplar::program::Sequence& program,
                           const poplar::DebugContext& name = "gteq") {
  return detail::binary(graph, "greater_or_equal", a, b, program, name);
}
template <typename Number, poplar::detail::IfNumber<Number> = 0>
poplar::Tensor gteq(poplar::Graph& graph, const poplar::Tensor& a, Number b,
                    poplar::program::Sequence& program, const poplar::DebugContext& name = "gteq") {
  return detail::binary(graph, "greater_or_equal", a, detail::scalarLike(graph, a, b), program,
                        name);
}

}  // namespace popops
