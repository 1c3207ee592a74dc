// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/conv/lower.h"
#include "workloads/ops/matmul/plan.h"

namespace ipusim::workloads {

/// How long the variables of the operands keep their values.
struct OperandLifetimes {
  Lifetime left;
  Lifetime right;
};

/// A product being built: the operands as the plan wants them, and the steps. It is the convolution
/// of its plan.
class MatmulOp {
 public:
  /// `name` heads the names of all that is added.
  MatmulOp(Graph& graph, const Architecture& machine, const MatmulPlan& plan,
           const std::string& name, const OperandLifetimes& lifetimes);

  /// The operands where the plan wants them, (groups, m, k) and (groups, k, n). Of many pieces: for
  /// reading and writing values.
  [[nodiscard]] Tensor left() const;
  [[nodiscard]] Tensor right() const;

  /// Adds to `program` the steps that bring operands mapped anyhow, (groups, m, k) and (groups, k,
  /// n), to where the plan wants them. An operand that is null is where the plan wants it, and gets
  /// its padding cleared.
  void arrange(const Tensor* left, const Tensor* right, Program& program);

  /// Takes operands that exist already, in variables that are laid out and mapped as those which
  /// this made.
  void takeLeft(VariableId variable);
  void takeRight(VariableId variable);

  /// Adds the steps that multiply and add up; the result (groups, m, n), where the plan leaves it.
  Tensor multiply(Lifetime lifetime, Program& program);

 private:
  /// An operand of the product as that of the convolution.
  [[nodiscard]] Tensor weightsOf(const Tensor& operand) const;
  [[nodiscard]] Tensor inputOf(const Tensor& operand) const;
  [[nodiscard]] bool isLeftWeights() const { return order_ == OperandOrder::Swapped; }

  OperandOrder order_;
  ConvOp conv_;
};

}  // namespace ipusim::workloads
