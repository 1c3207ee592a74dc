// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "popops/detail/operands.hpp"

// Operations on the elements of tensors of any layout. They run where the elements of the result
// lie; operands that lie elsewhere are sent there.

namespace popops {

namespace detail {

inline poplar::Type resultType(const std::string& op, const poplar::Type& type) {
  const bool compares =
      op.find("equal") != std::string::npos || op == "less_than" || op == "greater_than";
  return compares ? poplar::BOOL : type;
}

inline std::string binaryLines(const std::string& op, const poplar::Type& type, bool in_place) {
  return "vertex = 'binary_op'\nop = '" + op + "'\n" + (in_place ? "in_place = 'yes'\n" : "") +
         typeLine(type);
}

inline std::string unaryLines(const std::string& op, const poplar::Type& type, bool in_place) {
  return "vertex = 'unary_op'\nop = '" + op + "'\n" + (in_place ? "in_place = 'yes'\n" : "") +
         typeLine(type);
}

inline poplar::Tensor binary(poplar::Graph& graph, const std::string& op, const poplar::Tensor& a,
                             const poplar::Tensor& b, poplar::program::Sequence& program,
                             const poplar::DebugContext& name) {
  const std::vector<std::size_t> shape = commonShape(a, b);
  const poplar::Tensor left = broadcastTo(a, shape);
  const poplar::Tensor right = broadcastTo(b, shape);
  const poplar::Tensor& like = a.numElements() >= b.numElements() ? left : right;
  const poplar::Tensor out = graph.clone(resultType(op, a.elementType()), like, name);
  runElementwise(graph, binaryLines(op, a.elementType(), false), {left, right}, out, program, name);
  return out;
}

inline void binaryInPlace(poplar::Graph& graph, const std::string& op, const poplar::Tensor& a,
                          const poplar::Tensor& b, poplar::program::Sequence& program,
                          const poplar::DebugContext& name) {
  runElementwise(graph, binaryLines(op, a.elementType(), true), {broadcastTo(b, a.shape())}, a,
                 program, name);
}

inline poplar::Tensor unary(poplar::Graph& graph, const std::string& op, const poplar::Tensor& a,
                            poplar::program::Sequence& program, const poplar::DebugContext& name) {
  const poplar::Tensor out = graph.clone(a, name);
  runElementwise(graph, unaryLines(op, a.elementType(), false), {a}, out, program, name);
  return out;
}

inline void unaryInPlace(poplar::Graph& graph, const std::string& op, const poplar::Tensor& a,
                         poplar::program::Sequence& program, const poplar::DebugContext& name) {
  runElementwise(graph, unaryLines(op, a.elementType(), true), {}, a, program, name);
}

/// A constant of the type of `like`, on the tile of its first element.
template <typename Number>
poplar::Tensor scalarLike(poplar::Graph& graph, const poplar::Tensor& like, Number value) {
  const poplar::Tensor constant = graph.addConstant(like.elementType(), {}, value);
  graph.setTileMapping(constant, poplar::detail::firstTileOf(graph.data(), like.data()));
  return constant;
}

}  // namespace detail

}  // namespace popops
