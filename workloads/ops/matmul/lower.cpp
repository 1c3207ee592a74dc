// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/lower.h"

#include <optional>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

/// The matrices of (groups, rows, columns...), whose dimensions from the third on are one. A single
/// group has no dimension.
Shape matrices(const Shape& grouped) {
  Shape shape{grouped[0], grouped[1], 1};
  for (std::size_t d = 2; d < grouped.size(); ++d) shape[2] *= grouped[d];
  if (shape[0] == 1) shape.erase(shape.begin());
  return shape;
}

Shape transposedMatrices(const Shape& grouped) {
  Shape shape = matrices(grouped);
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

/// A recorded profile of products has no step that clears the last grain of out channels.
/// Source: the profile of tests/ops/matmul_profile_test.cpp.
ConvForm formOf(OperandOrder order) {
  if (order == OperandOrder::Swapped) {
    return {"/right", "/left", {matrices, matrices}, OutPadding::Anything};
  }
  return {"/left", "/right", {transposedMatrices, transposedMatrices}, OutPadding::Anything};
}

Tensor transposed(const Tensor& matrices) {
  return matrices.dimShuffle({0, 2, 1});
}

/// (groups, rows, columns) as weights (groups, out channels, in channels, 1), whose rows are the
/// out channels.
Tensor asWeights(const Tensor& matrices) {
  const Shape& shape = matrices.shape();
  return matrices.reshape({shape[0], shape[1], shape[2], 1});
}

/// (groups, rows, columns) as an input (groups, in channels, 1, field), whose columns are the
/// field.
Tensor asInput(const Tensor& matrices) {
  const Shape& shape = matrices.shape();
  return matrices.reshape({shape[0], shape[1], 1, shape[2]});
}

/// The matrices of what asWeights or asInput made.
Tensor asMatrices(const Tensor& operand) {
  const Shape& shape = operand.shape();
  return operand.reshape({shape[0], shape[1], shape[2] * shape[3]});
}

}  // namespace

MatmulOp::MatmulOp(Graph& graph, const Architecture& machine, const MatmulPlan& plan,
                   const std::string& name, const OperandLifetimes& lifetimes)
    : order_(plan.order), conv_(graph, machine, plan.conv, name, formOf(plan.order)) {
  const bool is_placed = conv_.placeInput(isLeftWeights() ? lifetimes.right : lifetimes.left) &&
                         conv_.placeWeights(isLeftWeights() ? lifetimes.left : lifetimes.right);
  check(is_placed, "the operands of a product lie as they are given");
}

Tensor MatmulOp::left() const {
  if (isLeftWeights()) return asMatrices(conv_.placedWeights());
  return transposed(asMatrices(conv_.placedInput()));
}

Tensor MatmulOp::right() const {
  if (isLeftWeights()) return asMatrices(conv_.placedInput());
  return transposed(asMatrices(conv_.placedWeights()));
}

Tensor MatmulOp::weightsOf(const Tensor& operand) const {
  return asWeights(isLeftWeights() ? operand : transposed(operand));
}

Tensor MatmulOp::inputOf(const Tensor& operand) const {
  return asInput(isLeftWeights() ? operand : transposed(operand));
}

void MatmulOp::arrange(const Tensor* left, const Tensor* right, Program& program) {
  const Tensor* const given_weights = isLeftWeights() ? left : right;
  const Tensor* const given_input = isLeftWeights() ? right : left;
  std::optional<Tensor> weights;
  std::optional<Tensor> input;
  if (given_weights != nullptr) weights = weightsOf(*given_weights);
  if (given_input != nullptr) input = inputOf(*given_input);
  conv_.fillPlaced(input ? &*input : nullptr, weights ? &*weights : nullptr, program);
}

void MatmulOp::takeLeft(VariableId variable) {
  isLeftWeights() ? conv_.takeWeights(variable) : conv_.takeInput(variable);
}

void MatmulOp::takeRight(VariableId variable) {
  isLeftWeights() ? conv_.takeInput(variable) : conv_.takeWeights(variable);
}

Tensor MatmulOp::multiply(Lifetime lifetime, Program& program) {
  // (groups, out channels, 1, field).
  const Tensor result = asMatrices(conv_.convolvePlaced(lifetime, program));
  return isLeftWeights() ? result : transposed(result);
}

}  // namespace ipusim::workloads
