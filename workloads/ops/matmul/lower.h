// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/graph/graph.h"
#include "workloads/ops/matmul/layout.h"

namespace ipusim::workloads {

/// A product being built: the operands as the plan wants them, and the steps.
class MatmulOp {
 public:
  /// Variables of the operands are `lifetime`; `name` heads the names of all that is added.
  MatmulOp(Graph& graph, const models::Machine& machine, const MatmulProblem& problem,
           const MatmulPlan& plan, const std::string& name, Lifetime lifetime);

  /// The operands where the plan wants them: left (groups, m, k), right (groups, k, n).
  [[nodiscard]] Tensor left() const;
  [[nodiscard]] Tensor right() const;

  /// Steps that bring operands mapped anyhow, shaped as above, to where the plan wants them.
  void rearrange(const Tensor& left, const Tensor& right);

  /// Steps that clear the padding of operands which the host writes in place.
  void clearPadding();

  /// Steps that multiply and add up; the result (groups, m, n), where the plan leaves it.
  Tensor multiply(Lifetime lifetime);

 private:
  [[nodiscard]] const BlockedOperand& leftOperand() const;
  [[nodiscard]] const BlockedOperand& rightOperand() const;

  Graph& graph_;
  const models::Machine& machine_;
  MatmulProblem problem_;
  MatmulLayout layout_;
  std::string name_;
  BlockedOperand input_;
  BlockedOperand weights_;
};

}  // namespace ipusim::workloads
