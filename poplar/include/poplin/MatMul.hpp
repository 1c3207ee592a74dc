// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poplar/OptionFlags.hpp"
#include "poplin/detail/options.hpp"
#include "popops/ScaledAdd.hpp"
#include "popops/detail/operands.hpp"

// Products of matrices, planned and laid out by the planner of this project, which restates the
// published one.

namespace poplin {

/// Plans are found again without it.
class PlanningCache {};

namespace matmul {

using PlanningCache = ::poplin::PlanningCache;

}  // namespace matmul

namespace detail {

inline poplar::detail::MatrixProduct productOf(const std::vector<std::size_t>& a,
                                               const std::vector<std::size_t>& b,
                                               const poplar::Type& input,
                                               const poplar::Type& output,
                                               const poplar::OptionFlags& options) {
  if (a.size() != 3 || b.size() != 3 || a[0] != b[0] || a[2] != b[1]) {
    throw poputil::poplibs_error(
        "matMul: wanted (m, k) and (k, n), or (groups, m, k) and (groups, k, n), found " +
        popops::detail::shapeText(a) + " and " + popops::detail::shapeText(b));
  }
  return poplar::detail::MatrixProduct{a[0],
                                       a[1],
                                       a[2],
                                       b[2],
                                       input.id(),
                                       output.id(),
                                       partialsOf(options, input),
                                       memoryProportionOf(options)};
}

inline std::vector<std::size_t> grouped(std::vector<std::size_t> shape) {
  shape.insert(shape.begin(), 1);
  return shape;
}

inline poplar::Tensor operand(poplar::Graph& graph, const poplar::detail::MatrixProduct& product,
                              poplar::detail::OperandSide side, const poplar::DebugContext& name) {
  return poplar::Tensor(poplar::detail::Handle<poplar::detail::TensorData>(
      poplar::detail::matrixOperand(graph.data(), product, side, poplar::detail::textOf(name))));
}

}  // namespace detail

/// The product of each group of matrices.
inline poplar::Tensor matMulGrouped(poplar::Graph& graph, const poplar::Tensor& a,
                                    const poplar::Tensor& b, poplar::program::Sequence& program,
                                    const poplar::Type& output,
                                    const poplar::DebugContext& name = "matMul",
                                    const poplar::OptionFlags& options = {},
                                    matmul::PlanningCache* = nullptr) {
  if (a.elementType() != b.elementType()) {
    throw poputil::poplibs_error("matMul: wanted operands of one type, found " +
                                 a.elementType().toString() + " and " + b.elementType().toString());
  }
  poplar::detail::ProgramData* steps = nullptr;
  poplar::detail::TensorData* result = poplar::detail::addMatrixProduct(
      graph.data(), detail::productOf(a.shape(), b.shape(), a.elementType(), output, options),
      {a.data(), b.data()}, poplar::detail::textOf(name), &steps);
  const poplar::Tensor product{poplar::detail::Handle<poplar::detail::TensorData>(result)};
  program.add(popops::detail::LibraryStep(steps));
  return product;
}

inline poplar::Tensor matMul(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                             poplar::program::Sequence& program, const poplar::Type& output,
                             const poplar::DebugContext& name = "matMul",
                             const poplar::OptionFlags& options = {},
                             matmul::PlanningCache* = nullptr) {
  if (a.rank() != 2 || b.rank() != 2) {
    throw poputil::poplibs_error("matMul: wanted two matrices, found " + a.shapeToString() +
                                 " and " + b.shapeToString());
  }
  return matMulGrouped(graph, a.expand({0}), b.expand({0}), program, output, name, options)[0];
}
inline poplar::Tensor matMul(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "matMul",
                             const poplar::OptionFlags& options = {},
                             matmul::PlanningCache* = nullptr) {
  return matMul(graph, a, b, program, a.elementType(), name, options);
}

namespace detail {

/// Copies a product to a tensor of its shape. An empty tensor becomes the product.
inline void setToProduct(const poplar::Tensor& product, poplar::Tensor& out,
                         poplar::program::Sequence& program, const poplar::DebugContext& name) {
  if (!out.valid()) {
    out = product;
    return;
  }
  if (out.shape() != product.shape()) {
    throw poputil::poplibs_error("matMulWithOutput: wanted an output of " +
                                 product.shapeToString() + ", found " + out.shapeToString());
  }
  program.add(poplar::program::Copy(product, out, false, name));
}

/// The type of the elements of a product that goes to `out`.
inline poplar::Type productType(const poplar::Tensor& a, const poplar::Tensor& out) {
  return out.valid() ? out.elementType() : a.elementType();
}

}  // namespace detail

/// Sets `out` to the product. An empty tensor becomes the product.
inline void matMulWithOutput(poplar::Graph& graph, const poplar::Tensor& a, const poplar::Tensor& b,
                             poplar::Tensor& out, poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "matMul",
                             const poplar::OptionFlags& options = {}, PlanningCache* = nullptr) {
  detail::setToProduct(matMul(graph, a, b, program, detail::productType(a, out), name, options),
                       out, program, name);
}
inline void matMulGroupedWithOutput(poplar::Graph& graph, const poplar::Tensor& a,
                                    const poplar::Tensor& b, poplar::Tensor& out,
                                    poplar::program::Sequence& program,
                                    const poplar::DebugContext& name = "matMul",
                                    const poplar::OptionFlags& options = {},
                                    PlanningCache* = nullptr) {
  detail::setToProduct(
      matMulGrouped(graph, a, b, program, detail::productType(a, out), name, options), out, program,
      name);
}

/// Each matrix of a group transposed.
inline poplar::Tensor transposeGroupedMatrix(const poplar::Tensor& a) {
  return a.dimShuffle({0, 2, 1});
}

/// The right operand where the plan of the product wants it.
inline poplar::Tensor preArrangeMatMulInputRHS(
    poplar::Graph& graph, const std::vector<std::size_t>& a, const poplar::Tensor& b,
    poplar::program::Sequence& program, const poplar::Type& output,
    const poplar::DebugContext& name = "rhs", const poplar::OptionFlags& options = {},
    PlanningCache* = nullptr);
inline poplar::Tensor preArrangeMatMulInputRHS(
    poplar::Graph& graph, const std::vector<std::size_t>& a, const poplar::Tensor& b,
    poplar::program::Sequence& program, const poplar::DebugContext& name = "rhs",
    const poplar::OptionFlags& options = {}, PlanningCache* = nullptr) {
  return preArrangeMatMulInputRHS(graph, a, b, program, b.elementType(), name, options);
}

/// c += scale * (a x b).
inline void matMulAcc(poplar::Graph& graph, const poplar::Tensor& c, float scale,
                      const poplar::Tensor& a, const poplar::Tensor& b,
                      poplar::program::Sequence& program,
                      const poplar::DebugContext& name = "matMulAcc",
                      const poplar::OptionFlags& options = {}, matmul::PlanningCache* = nullptr) {
  const poplar::Tensor product = matMul(graph, a, b, program, c.elementType(), name, options);
  popops::scaledAddTo(graph, c, product, scale, program, name);
}
inline void matMulGroupedAcc(poplar::Graph& graph, const poplar::Tensor& c, float scale,
                             const poplar::Tensor& a, const poplar::Tensor& b,
                             poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "matMulAcc",
                             const poplar::OptionFlags& options = {},
                             matmul::PlanningCache* = nullptr) {
  const poplar::Tensor product =
      matMulGrouped(graph, a, b, program, c.elementType(), name, options);
  popops::scaledAddTo(graph, c, product, scale, program, name);
}

/// c += scale * a b, where `scale` is a tensor of one element.
inline void matMulAcc(poplar::Graph& graph, const poplar::Tensor& c, const poplar::Tensor& scale,
                      const poplar::Tensor& a, const poplar::Tensor& b,
                      poplar::program::Sequence& program,
                      const poplar::DebugContext& name = "matMulAcc",
                      const poplar::OptionFlags& options = {}, PlanningCache* = nullptr) {
  const poplar::Tensor product = matMul(graph, a, b, program, c.elementType(), name, options);
  popops::scaledAddTo(graph, c, product, scale, program, name);
}
inline void matMulGroupedAcc(poplar::Graph& graph, const poplar::Tensor& c,
                             const poplar::Tensor& scale, const poplar::Tensor& a,
                             const poplar::Tensor& b, poplar::program::Sequence& program,
                             const poplar::DebugContext& name = "matMulAcc",
                             const poplar::OptionFlags& options = {}, PlanningCache* = nullptr) {
  const poplar::Tensor product =
      matMulGrouped(graph, a, b, program, c.elementType(), name, options);
  popops::scaledAddTo(graph, c, product, scale, program, name);
}

// Operands that lie as the plan of the product wants them. The two shapes are those of both
// operands.

inline poplar::Tensor createMatMulGroupedInputLHS(poplar::Graph& graph, const poplar::Type& input,
                                                  const poplar::Type& output,
                                                  const std::vector<std::size_t>& a,
                                                  const std::vector<std::size_t>& b,
                                                  const poplar::DebugContext& name = "lhs",
                                                  const poplar::OptionFlags& options = {},
                                                  matmul::PlanningCache* = nullptr) {
  return detail::operand(graph, detail::productOf(a, b, input, output, options),
                         poplar::detail::OperandSide::Left, name);
}
inline poplar::Tensor createMatMulGroupedInputRHS(poplar::Graph& graph, const poplar::Type& input,
                                                  const poplar::Type& output,
                                                  const std::vector<std::size_t>& a,
                                                  const std::vector<std::size_t>& b,
                                                  const poplar::DebugContext& name = "rhs",
                                                  const poplar::OptionFlags& options = {},
                                                  matmul::PlanningCache* = nullptr) {
  return detail::operand(graph, detail::productOf(a, b, input, output, options),
                         poplar::detail::OperandSide::Right, name);
}
inline poplar::Tensor createMatMulInputLHS(poplar::Graph& graph, const poplar::Type& input,
                                           const poplar::Type& output,
                                           const std::vector<std::size_t>& a,
                                           const std::vector<std::size_t>& b,
                                           const poplar::DebugContext& name = "lhs",
                                           const poplar::OptionFlags& options = {},
                                           matmul::PlanningCache* = nullptr) {
  return createMatMulGroupedInputLHS(graph, input, output, detail::grouped(a), detail::grouped(b),
                                     name, options)[0];
}
inline poplar::Tensor createMatMulInputLHS(poplar::Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& a,
                                           const std::vector<std::size_t>& b,
                                           const poplar::DebugContext& name = "lhs",
                                           const poplar::OptionFlags& options = {},
                                           matmul::PlanningCache* = nullptr) {
  return createMatMulInputLHS(graph, type, type, a, b, name, options);
}
inline poplar::Tensor createMatMulInputRHS(poplar::Graph& graph, const poplar::Type& input,
                                           const poplar::Type& output,
                                           const std::vector<std::size_t>& a,
                                           const std::vector<std::size_t>& b,
                                           const poplar::DebugContext& name = "rhs",
                                           const poplar::OptionFlags& options = {},
                                           matmul::PlanningCache* = nullptr) {
  return createMatMulGroupedInputRHS(graph, input, output, detail::grouped(a), detail::grouped(b),
                                     name, options)[0];
}
inline poplar::Tensor createMatMulInputRHS(poplar::Graph& graph, const poplar::Type& type,
                                           const std::vector<std::size_t>& a,
                                           const std::vector<std::size_t>& b,
                                           const poplar::DebugContext& name = "rhs",
                                           const poplar::OptionFlags& options = {},
                                           matmul::PlanningCache* = nullptr) {
  return createMatMulInputRHS(graph, type, type, a, b, name, options);
}

inline poplar::Tensor preArrangeMatMulInputRHS(
    poplar::Graph& graph, const std::vector<std::size_t>& a, const poplar::Tensor& b,
    poplar::program::Sequence& program, const poplar::Type& output,
    const poplar::DebugContext& name, const poplar::OptionFlags& options, PlanningCache*) {
  const poplar::Tensor arranged =
      createMatMulInputRHS(graph, b.elementType(), output, a, b.shape(), name, options);
  program.add(poplar::program::Copy(b, arranged, false, name));
  return arranged;
}

}  // namespace poplin
