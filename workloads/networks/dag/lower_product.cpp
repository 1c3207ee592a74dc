// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/matmul/lower.h"

namespace ipusim::workloads {

namespace {

Tensor exchanged(const Tensor& tensor, ProductOperand form) {
  if (form == ProductOperand::Plain) return tensor;
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < tensor.shape().size(); ++d) order.push_back(d);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return tensor.dimShuffle(order);
}

Shape leadingOf(const Shape& shape) {
  return {shape.begin(), shape.end() - 2};
}

/// A product as the vendor's library plans it.
class MatmulLowering final : public NodeLowering {
 public:
  MatmulLowering(const MatmulForm& form, NodeSite site)
      : NodeLowering(std::move(site)), form_(form), operation_(matmul(form)) {}

  /// A parameter on the right lies where the plan wants it, so that no step brings it there.
  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    const bool is_whole = isFlat() || leadingOf(site_.types[1].shape) == leadingOf(site_.result);
    const bool is_planned = operand == 1 && is_whole && form_.right == ProductOperand::Plain;
    if (!is_planned) return std::nullopt;
    makeProduct(Lifetime::Always);
    is_placed_ = true;
    return product_->operands().right().reshape(site_.types[1].shape);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (!product_) makeProduct(Lifetime::Temporary);
    const Tensor left = asGroups(exchanged(operands[0], form_.left));
    if (is_placed_) {
      product_->rearrangeLeft(left, program);
    } else {
      product_->rearrange(left, asGroups(exchanged(operands[1], form_.right)), program);
    }
    return {product_->multiply(site_.lifetime, program).reshape(site_.result)};
  }

 private:
  /// Whether one right matrix is for all rows of the left operand.
  [[nodiscard]] bool isFlat() const {
    return site_.types[1].shape.size() == 2 &&
           (form_.left == ProductOperand::Plain || site_.types[0].shape.size() == 2);
  }

  [[nodiscard]] Tensor asGroups(const Tensor& tensor) const {
    const std::uint64_t columns = tensor.shape().back();
    if (isFlat()) return tensor.reshape({1, tensor.elements() / columns, columns});
    const std::uint64_t rows = tensor.shape()[tensor.shape().size() - 2];
    Shape whole = leadingOf(site_.result);
    const std::uint64_t groups = elementsOf(whole);
    whole.insert(whole.end(), {rows, columns});
    return broadcastView(tensor, whole).reshape({groups, rows, columns});
  }

  void makeProduct(Lifetime right) {
    const GroupedProduct sizes = *productOf(*operation_, site_.types);
    MatmulProblem problem;
    problem.groups = sizes.groups;
    problem.m = sizes.m;
    problem.k = sizes.k;
    problem.n = sizes.n;
    problem.input = problem.output = site_.types.front().type;
    problem.pass = passOf();
    problem.partials = site_.products.partials.value_or(problem.partials);
    problem.available_memory_proportion =
        site_.products.memory_proportion.value_or(problem.available_memory_proportion);
    product_.emplace(site_.graph, site_.machine,
                     PlannedProduct{problem, planMatmul(site_.machine, problem)}, site_.name,
                     OperandLifetimes{Lifetime::Temporary, right});
  }

  [[nodiscard]] MatmulPass passOf() const {
    if (!site_.is_training) return MatmulPass::InferenceFwd;
    switch (form_.role) {
      case ProductRole::InputGradient:
        return MatmulPass::TrainingBwd;
      case ProductRole::WeightGradient:
        return MatmulPass::TrainingWu;
      case ProductRole::Forward:
        break;
    }
    return MatmulPass::TrainingFwd;
  }

  MatmulForm form_;
  OperationPointer operation_;
  std::optional<MatmulOp> product_;
  bool is_placed_ = false;  ///< the right operand is that of the product
};

}  // namespace

NodeLoweringPointer lowerMatmul(const MatmulForm& form, NodeSite site) {
  return std::make_unique<MatmulLowering>(form, std::move(site));
}

}  // namespace ipusim::workloads
