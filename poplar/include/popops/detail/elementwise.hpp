// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "popops/detail/expression_text.hpp"
#include "popops/detail/operands.hpp"

// Operations on the elements of tensors of any layout. They run where the elements of the result
// lie; operands that lie elsewhere are sent there.

namespace popops {

namespace detail {

/// The lines of the library's vertex type for an operator.
inline std::string operatorLines(const std::string& op, std::size_t operands,
                                 const poplar::Type& type, bool in_place) {
  return std::string("vertex = '") + (operands == 1 ? "unary_op" : "binary_op") + "'\nop = '" + op +
         "'\n" + (in_place ? "in_place = 'yes'\n" : "") + typeLine(type);
}

/// Runs a compute set of vertices that set `out` to a C++ value: poplar/detail/library_api.hpp.
inline void runValue(const Lowering& to, const std::string& value,
                     const std::vector<poplar::Tensor>& operands, const poplar::Tensor& out) {
  checkWriteable(out);
  std::vector<poplar::Tensor> shaped;
  for (const poplar::Tensor& operand : operands) {
    shaped.push_back(operand.numElements() == 1 ? operand : broadcastTo(operand, out.shape()));
  }
  const poplar::ComputeSet compute_set = to.graph.addComputeSet(to.name);
  const std::vector<const poplar::detail::TensorData*> all = poplar::detail::dataOf(shaped);
  poplar::detail::addMap(to.graph.data(), compute_set.getId(),
                         poplar::detail::textOf(poplar::StringRef(value)), {all.data(), all.size()},
                         out.data());
  to.program.add(poplar::program::Execute(compute_set));
}

/// Throws unless all operands have the type of the first one.
inline void checkOneType(const std::string& op, const std::vector<poplar::Tensor>& operands) {
  for (const poplar::Tensor& operand : operands) {
    if (operand.elementType() == operands[0].elementType()) continue;
    throw poputil::poplibs_error(op + ": wanted operands of one type (popops::cast), found " +
                                 operands[0].elementType().toString() + " and " +
                                 operand.elementType().toString());
  }
}

/// Sets `out` to an operator of operands of one type. `out` may be the first operand. The library's
/// vertex for the operator runs, or a vertex made for it where the library has none. A result of
/// another type than that of the operator is converted.
inline void runOperator(const Lowering& to, const std::string& op,
                        const std::vector<poplar::Tensor>& operands, const poplar::Tensor& out) {
  checkOneType(op, operands);
  const bool in_place = operands[0] == out;
  const std::string lines = operatorLines(op, operands.size(), operands[0].elementType(), in_place);
  const bool is_of_operator =
      out.elementType() == (givesBool(op) ? poplar::BOOL : operands[0].elementType());
  if (!is_of_operator ||
      !poplar::detail::hasLibraryVertex(to.graph.data(), poplar::detail::textOf(lines))) {
    std::string value = op + "(x1";
    for (std::size_t i = 1; i < operands.size(); ++i) value += ", x" + std::to_string(i + 1);
    runValue(to, roundedTo(out.elementType(), value + ")"), operands, out);
    return;
  }
  std::vector<poplar::Tensor> shaped;
  for (std::size_t i = in_place ? 1 : 0; i < operands.size(); ++i) {
    shaped.push_back(broadcastTo(operands[i], out.shape()));
  }
  runElementwise(to, lines, shaped, out);
}

inline poplar::Tensor binary(const Lowering& to, const std::string& op, const poplar::Tensor& a,
                             const poplar::Tensor& b) {
  const std::vector<std::size_t> shape = commonShape(a.shape(), b.shape());
  const poplar::Type type = givesBool(op) ? poplar::BOOL : a.elementType();
  const poplar::Tensor& like = a.numElements() >= b.numElements() ? a : b;
  const poplar::Tensor out = to.graph.clone(type, broadcastTo(like, shape), to.name);
  runOperator(to, op, {a, b}, out);
  return out;
}

inline poplar::Tensor unary(const Lowering& to, const std::string& op, const poplar::Tensor& a) {
  const poplar::Tensor out =
      to.graph.clone(givesBool(op) ? poplar::BOOL : a.elementType(), a, to.name);
  runOperator(to, op, {a}, out);
  return out;
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
