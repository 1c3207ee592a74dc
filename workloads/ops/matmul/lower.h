// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "workloads/ops/matmul/convolve.h"
#include "workloads/ops/matmul/layout.h"

namespace ipusim::workloads {

/// A product and the plan made for it.
struct PlannedProduct {
  MatmulProblem problem;
  MatmulPlan plan;
};

/// The operands of a product where its plan wants them, a serial step each.
struct PlannedOperands {
  MatmulProblem problem;
  MatmulLayout layout;
  std::vector<BlockedOperand> input;
  std::vector<BlockedOperand> weights;

  [[nodiscard]] const std::vector<BlockedOperand>& leftOperand() const;
  [[nodiscard]] const std::vector<BlockedOperand>& rightOperand() const;
  /// (groups, m, k) and (groups, k, n). Of many pieces: for reading and writing values.
  [[nodiscard]] Tensor left() const;
  [[nodiscard]] Tensor right() const;
};

/// How long the variables of the operands keep their values.
struct OperandLifetimes {
  Lifetime left;
  Lifetime right;
};

/// A product being built: the operands as the plan wants them, and the steps.
class MatmulOp {
 public:
  /// `name` heads the names of all that is added.
  MatmulOp(Graph& graph, const Architecture& machine, const PlannedProduct& product,
           const std::string& name, const OperandLifetimes& lifetimes);

  [[nodiscard]] const PlannedOperands& operands() const { return operands_; }

  /// Adds to `program` the steps that bring operands mapped anyhow, (groups, m, k) and (groups, k,
  /// n), to where the plan wants them.
  void rearrange(const Tensor& left, const Tensor& right, Program& program);

  /// Takes operands that exist already, in variables that are laid out and mapped as those which
  /// this made.
  void takeLeft(VariableId variable);
  void takeRight(VariableId variable);
  /// As rearrange(). An operand that is null is where the plan wants it, and gets its padding
  /// cleared.
  void arrange(const Tensor* left, const Tensor* right, Program& program);

  /// Arranges the left operand, and clears the padding of the right one, which the host writes in
  /// place.
  void rearrangeLeft(const Tensor& left, Program& program);

  /// `values`, (groups, k, n), in a new variable that lies like the right operand: of the shape and
  /// with the padding of that.
  Tensor arrangedAsRight(const Tensor& values, const std::string& name, Program& program);

  /// Adds the steps that clear the padding of operands which the host writes in place.
  void clearPadding(Program& program);

  /// Adds the steps that multiply and add up; the result (groups, m, n), where the plan leaves it.
  Tensor multiply(Lifetime lifetime, Program& program);

 private:
  [[nodiscard]] MatmulSite site() { return {graph_, machine_, operands_.layout, name_}; }
  [[nodiscard]] std::vector<Tensor> multiplyInSteps(Lifetime lifetime, Program& program);

  Graph& graph_;
  const Architecture& machine_;
  std::string name_;
  PlannedOperands operands_;
};

}  // namespace ipusim::workloads
