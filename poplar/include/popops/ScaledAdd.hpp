// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>
#include <string>

#include "poplar/OptionFlags.hpp"
#include "popops/Cast.hpp"
#include "popops/detail/elementwise.hpp"

namespace popops {

namespace detail {

/// Sets `out` to a C++ value that is computed in the type of `out`. In it x1 is the element of
/// `out`, and x2 … are those of `others`.
inline void runScaled(const Lowering& to, const std::string& value, const poplar::Tensor& out,
                      const std::vector<poplar::Tensor>& others) {
  std::vector<poplar::Tensor> operands = {out};
  operands.insert(operands.end(), others.begin(), others.end());
  runValue(to, roundedTo(out.elementType(), value), operands, out);
}

/// C++ that converts operand `number` to the type of `out`.
inline std::string operandAs(const poplar::Tensor& out, unsigned number) {
  return roundedTo(out.elementType(), "x" + std::to_string(number));
}

/// A float as TOML, with enough digits to be read back exactly.
inline std::string numberText(float number) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << std::setprecision(std::numeric_limits<float>::max_digits10) << number;
  const bool is_whole = text.str().find_first_not_of("-0123456789") == std::string::npos;
  return text.str() + (is_whole ? ".0" : "");
}

}  // namespace detail

/// a += scale * b. A `b` of another type is cast to that of `a` first.
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                        float scale, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo",
                        const poplar::OptionFlags& = {}) {
  const std::string lines = "vertex = 'scaled_add'\n" + detail::typeLine(a.elementType()) +
                            "scale = " + detail::numberText(scale) + "\n";
  const poplar::Tensor added =
      b.elementType() == a.elementType() ? b : cast(graph, b, a.elementType(), program, name);
  detail::runElementwise({graph, program, name}, lines, {detail::broadcastTo(added, a.shape())}, a);
}
/// a += scale * b, where `scale` is a tensor of one element.
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                        const poplar::Tensor& scale, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo",
                        const poplar::OptionFlags& = {}) {
  detail::runScaled(
      {graph, program, name},
      "add(x1, multiply(" + detail::operandAs(a, 3) + ", " + detail::operandAs(a, 2) + "))", a,
      {b, scale});
}
/// a = scale_a * a + scale_b * b.
inline void scaledAddTo(poplar::Graph& graph, const poplar::Tensor& a,
                        const poplar::Tensor& scale_a, const poplar::Tensor& b,
                        const poplar::Tensor& scale_b, poplar::program::Sequence& program,
                        const poplar::DebugContext& name = "scaledAddTo",
                        const poplar::OptionFlags& = {}) {
  detail::runScaled({graph, program, name},
                    "add(multiply(" + detail::operandAs(a, 3) + ", x1), multiply(" +
                        detail::operandAs(a, 4) + ", " + detail::operandAs(a, 2) + "))",
                    a, {b, scale_a, scale_b});
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
      {graph, program, name},
      "subtract(x1, multiply(" + detail::operandAs(a, 3) + ", " + detail::operandAs(a, 2) + "))", a,
      {b, scale});
}

/// a = scale_a * a - scale_b * b.
inline void scaledSubtractFrom(poplar::Graph& graph, const poplar::Tensor& a,
                               const poplar::Tensor& scale_a, const poplar::Tensor& b,
                               const poplar::Tensor& scale_b, poplar::program::Sequence& program,
                               const poplar::DebugContext& name = "scaledSubtractFrom",
                               const poplar::OptionFlags& = {}) {
  detail::runScaled({graph, program, name},
                    "subtract(multiply(" + detail::operandAs(a, 3) + ", x1), multiply(" +
                        detail::operandAs(a, 4) + ", " + detail::operandAs(a, 2) + "))",
                    a, {b, scale_a, scale_b});
}
inline void scaledSubtractFrom(poplar::Graph& graph, const poplar::Tensor& a, float scale_a,
                               const poplar::Tensor& b, float scale_b,
                               poplar::program::Sequence& program,
                               const poplar::DebugContext& name = "scaledSubtractFrom",
                               const poplar::OptionFlags& = {}) {
  scaledAddTo(graph, a, scale_a, b, -scale_b, program, name);
}

}  // namespace popops
