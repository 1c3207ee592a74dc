// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/OptionFlags.hpp"
#include "popops/detail/elementwise.hpp"

namespace popops {

namespace detail {

/// Sets `out` to a C++ value, computed in the type of `out`, of it (x1) and of others (x2 …).
inline void runScaled(poplar::Graph& graph, const std::string& value, const poplar::Tensor& out,
                      const std::vector<poplar::Tensor>& others, poplar::program::Sequence& program,
                      const poplar::DebugContext& name) {
  std::vector<poplar::Tensor> operands = {out};
  operands.insert(operands.end(), others.begin(), others.end());
  runValue(graph, roundedTo(out.elementType(), value), operands, out, program, name);
}

/// Operand `number` as the type of `out`.
inline std::string operandAs(const poplar::Tensor& out, unsigned number) {
  return roundedTo(out.elementType(), "x" + std::to_string(number));
}

}  // namespace detail

/// a += scale * b.
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                        float scale, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo",
                        const poplar::OptionFlags& = {}) {
  const std::string lines = "vertex = 'scaled_add'\n" + detail::typeLine(a.elementType()) +
                            "scale = " + std::to_string(scale) + "\n";
  detail::runElementwise(graph, lines, {detail::broadcastTo(b, a.shape())}, a, program, name);
}
/// The same with a scale of one element that the program has.
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                        const poplar::Tensor& scale, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo",
                        const poplar::OptionFlags& = {}) {
  detail::runScaled(
      graph, "add(x1, multiply(" + detail::operandAs(a, 3) + ", " + detail::operandAs(a, 2) + "))",
      a, {b, scale}, program, name);
}
/// a = scale_a * a + scale_b * b.
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a,
                        const poplar::Tensor& scale_a, const poplar::Tensor& b,
                        const poplar::Tensor& scale_b, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo",
                        const poplar::OptionFlags& = {}) {
  detail::runScaled(graph,
                    "add(multiply(" + detail::operandAs(a, 3) + ", x1), multiply(" +
                        detail::operandAs(a, 4) + ", " + detail::operandAs(a, 2) + "))",
                    a, {b, scale_a, scale_b}, program, name);
}
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a, float scale_a,
                        const poplar::Tensor& b, float scale_b, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo",
                        const poplar::OptionFlags& = {}) {
  scaledAddTo(graph, a, detail::scalarLike(graph, a, scale_a), b,
              detail::scalarLike(graph, a, scale_b), program, name);
}

/// a -= scale * b.
inline void scaledSubtractFrom(poplar::Graph& graph, const poplar::Tensor& a,
                               const poplar::Tensor& b, float scale,
                               poplar::program::Sequence& program,
                               const poplar::DebugContext& name = "scaledSubtractFrom",
                               const poplar::OptionFlags& = {}) {
  scaledAddTo(graph, a, b, -scale, program, name);
}
inline void scaledSubtractFrom(poplar::Graph& graph, const poplar::Tensor& a,
                               const poplar::Tensor& b, const poplar::Tensor& scale,
                               poplar::program::Sequence& program,
                               const poplar::DebugContext& name = "scaledSubtractFrom",
                               const poplar::OptionFlags& = {}) {
  detail::runScaled(
      graph,
      "subtract(x1, multiply(" + detail::operandAs(a, 3) + ", " + detail::operandAs(a, 2) + "))", a,
      {b, scale}, program, name);
}

}  // namespace popops
