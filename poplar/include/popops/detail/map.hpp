// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poplar/OptionFlags.hpp"
#include "popops/Expr.hpp"
#include "popops/detail/elementwise.hpp"
#include "popops/detail/expression_text.hpp"

namespace popops {

namespace detail {

inline std::vector<poplar::Type> typesOf(const std::vector<poplar::Tensor>& operands) {
  std::vector<poplar::Type> types;
  for (const poplar::Tensor& operand : operands) types.push_back(operand.elementType());
  return types;
}

/// The shape that all operands are repeated to.
inline std::vector<std::size_t> commonShape(const std::vector<poplar::Tensor>& operands) {
  if (operands.empty()) throw poputil::poplibs_error("map: wanted an operand, found none");
  std::vector<std::size_t> shape = operands[0].shape();
  for (const poplar::Tensor& operand : operands) shape = commonShape(shape, operand.shape());
  return shape;
}

/// The first of those operands that have the most elements.
inline poplar::Tensor largestOf(const std::vector<poplar::Tensor>& operands) {
  poplar::Tensor largest = operands[0];
  for (const poplar::Tensor& operand : operands) {
    if (operand.numElements() > largest.numElements()) largest = operand;
  }
  return largest;
}

/// Sets `out` to an expression of the operands, in one compute set. An expression that is a single
/// operator runs as runOperator() does. Any other one becomes a vertex of its own.
inline void runMap(const Lowering& to, const expr::Expr& expression,
                   const std::vector<poplar::Tensor>& operands, const poplar::Tensor& out) {
  const std::string op = onlyOperator(expression.node());
  if (!op.empty()) {
    runOperator(to, op, operands, out);
    return;
  }
  const TypedText value = cppOf(expression.node(), typesOf(operands));
  const std::string text =
      value.is_constant ? roundedTo(out.elementType(), value.text) : value.text;
  runValue(to, text, operands, out);
}

}  // namespace detail

/// Sets `out` to the value of an expression of the operands.
inline void mapWithOutput(poplar::Graph& graph, const expr::Expr& expression,
                          const std::vector<poplar::Tensor>& operands, const poplar::Tensor& out,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  detail::runMap({graph, program, name}, expression, operands, out);
}

/// The value of an expression of the operands, where _1 is the first. Operands of fewer elements
/// are repeated. The result lies like the first operand that is not.
inline poplar::Tensor map(poplar::Graph& graph, const expr::Expr& expression,
                          const std::vector<poplar::Tensor>& operands,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  const std::vector<std::size_t> shape = detail::commonShape(operands);
  const poplar::Type type = detail::cppOf(expression.node(), detail::typesOf(operands)).type;
  const poplar::Tensor out =
      graph.clone(type, detail::broadcastTo(detail::largestOf(operands), shape), name);
  detail::runMap({graph, program, name}, expression, operands, out);
  return out;
}

/// Sets the first operand to the value of an expression.
inline void mapInPlace(poplar::Graph& graph, const expr::Expr& expression,
                       const std::vector<poplar::Tensor>& operands,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "mapInPlace",
                       const poplar::OptionFlags& = {}) {
  if (operands.empty()) throw poputil::poplibs_error("mapInPlace: wanted an operand, found none");
  detail::runMap({graph, program, name}, expression, operands, operands[0]);
}

inline poplar::Tensor map(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& a,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  return map(graph, expr::UnaryOp(op, expr::_1), {a}, program, name);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  return map(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, program, name);
}
inline poplar::Tensor map(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& c,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  return map(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, program, name);
}
inline void mapInPlace(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& a,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "mapInPlace",
                       const poplar::OptionFlags& = {}) {
  mapInPlace(graph, expr::UnaryOp(op, expr::_1), {a}, program, name);
}
inline void mapInPlace(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                       const poplar::Tensor& b, poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "mapInPlace",
                       const poplar::OptionFlags& = {}) {
  mapInPlace(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, program, name);
}
inline void mapInPlace(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                       const poplar::Tensor& b, const poplar::Tensor& c,
                       poplar::program::Sequence& program,
                       const poplar::DebugContext& name = "mapInPlace",
                       const poplar::OptionFlags& = {}) {
  mapInPlace(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, program, name);
}

inline void mapWithOutput(poplar::Graph& graph, expr::UnaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& out, poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  mapWithOutput(graph, expr::UnaryOp(op, expr::_1), {a}, out, program, name);
}
inline void mapWithOutput(poplar::Graph& graph, expr::BinaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& out,
                          poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  mapWithOutput(graph, expr::BinaryOp(op, expr::_1, expr::_2), {a, b}, out, program, name);
}
inline void mapWithOutput(poplar::Graph& graph, expr::TernaryOpType op, const poplar::Tensor& a,
                          const poplar::Tensor& b, const poplar::Tensor& c,
                          const poplar::Tensor& out, poplar::program::Sequence& program,
                          const poplar::DebugContext& name = "map",
                          const poplar::OptionFlags& = {}) {
  mapWithOutput(graph, expr::TernaryOp(op, expr::_1, expr::_2, expr::_3), {a, b, c}, out, program,
                name);
}

}  // namespace popops
