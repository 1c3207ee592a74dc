// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/binary_lowering.h"

#include "models/ipu/cost/binary_loops.h"
#include "workloads/networks/dag/view_lowering.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/broadcast_product.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

models::BinaryOp operatorOf(BinaryFunction function) {
  switch (function) {
    case BinaryFunction::Add:
      return models::BinaryOp::Add;
    case BinaryFunction::Subtract:
      return models::BinaryOp::Subtract;
    case BinaryFunction::Multiply:
      return models::BinaryOp::Multiply;
    case BinaryFunction::Divide:
      return models::BinaryOp::Divide;
    case BinaryFunction::Power:
      break;
  }
  return models::BinaryOp::Power;
}

models::BinaryOp operatorOf(Comparison comparison) {
  switch (comparison) {
    case Comparison::Equal:
      return models::BinaryOp::Equal;
    case Comparison::Less:
      return models::BinaryOp::LessThan;
    case Comparison::LessOrEqual:
      return models::BinaryOp::LessOrEqual;
    case Comparison::Greater:
      return models::BinaryOp::GreaterThan;
    case Comparison::GreaterOrEqual:
      break;
  }
  return models::BinaryOp::GreaterOrEqual;
}

class BinaryLowering final : public NodeLowering {
 public:
  /// `word` stands for the operator in names.
  BinaryLowering(models::BinaryOp op, std::string word, NodeSite site)
      : NodeLowering(std::move(site)), operator_(op), word_(std::move(word)) {
    const models::BinaryOpKind kind{op, site_.types.front().type};
    if (!models::hasLoop(kind, models::SecondOperand::Tensor)) {
      throw notLowered(word_ + " of the type " + nameOf(site_.types.front().type));
    }
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (hasRow(operands)) {
      if (operator_ == models::BinaryOp::Add) return {withRow(operands, program)};
      if (operator_ == models::BinaryOp::Multiply) return {timesRow(operands, program)};
    }
    if (const auto dim = vectorDim(operands)) return {withVector(operands, *dim, program)};
    const Shape& shape = site_.result;
    const Tensor left = inOneVariable(broadcastView(operands[0], shape), "left", program);
    const Tensor right = broadcastView(operands[1], shape);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage = ops.binary(operator_, storageOf(site_.graph, left),
                                      storageOf(site_.graph, alike(left, right, "right", program)),
                                      step(word_), site_.lifetime);
    return {resultIn(storage, left)};
  }

 private:
  /// Whether the right operand is for each row of the left one.
  static bool hasRow(const std::vector<Tensor>& operands) {
    return operands[0].shape().size() >= 2 &&
           operands[1].shape() == Shape{operands[0].shape().back()};
  }

  /// Writes over the rows where nothing else reads them.
  Tensor withRow(const std::vector<Tensor>& operands, Program& program) {
    Tensor rows = operands[0];
    if (!site_.is_last_use[0]) {
      const Tensor from = inOneVariable(rows, "rows", program);
      rows = addAlike(site_.graph, from, from.type(), step("sum"), site_.lifetime);
      program.add(site_.graph.copy(from, rows, step("sum")));
    }
    const std::uint64_t width = rows.shape().back();
    addBias(site_.graph, rows.reshape({rows.elements() / width, width}), operands[1], step("Add"),
            program);
    return rows;
  }

  Tensor timesRow(const std::vector<Tensor>& operands, Program& program) {
    return multiplyRows(site_.graph, site_.machine, {operands[0], operands[1]},
                        {step(word_), site_.lifetime}, program)
        .reshape(site_.result);
  }

  /// The dimension of the left operand along which the right one is a vector, as the bias of a
  /// convolution is along the channels.
  [[nodiscard]] std::optional<std::size_t> vectorDim(const std::vector<Tensor>& operands) const {
    using Op = models::BinaryOp;
    const bool may_repeat =
        operator_ == Op::Add || operator_ == Op::Subtract || operator_ == Op::Multiply;
    const bool is_number =
        operands[0].type() == ElementType::Half || operands[0].type() == ElementType::Float;
    const Shape& left = operands[0].shape();
    const Shape& right = operands[1].shape();
    if (!may_repeat || !is_number || left != site_.result || right.size() > left.size()) {
      return std::nullopt;
    }
    const std::size_t missing = left.size() - right.size();
    std::optional<std::size_t> dim;
    for (std::size_t d = 0; d < right.size(); ++d) {
      if (right[d] == 1) continue;
      if (dim || right[d] != left[missing + d]) return std::nullopt;
      dim = missing + d;
    }
    // A vector beside nothing else is an operand like any other.
    return dim && left[*dim] < operands[0].elements() ? dim : std::nullopt;
  }

  /// Repeats the vector where the left operand lies. A sum is written over the left operand where
  /// nothing else reads that operand.
  Tensor withVector(const std::vector<Tensor>& operands, std::size_t dim, Program& program) {
    Graph& graph = site_.graph;
    const Tensor left = inOneVariable(operands[0], "left", program);
    const bool overwrites = operator_ == models::BinaryOp::Add && site_.is_last_use[0] &&
                            viewsOneVariable(graph, operands[0]);
    Tensor out =
        overwrites ? left : addAlike(graph, left, left.type(), step(word_), site_.lifetime);
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < left.shape().size(); ++d) {
      if (d != dim) order.push_back(d);
    }
    order.push_back(dim);
    const Tensor vector = operands[1].reshape({operands[1].elements()});
    addBesideVector(graph, {operator_, left.dimShuffle(order), vector, out.dimShuffle(order)},
                    step(word_), program);
    return out;
  }

  models::BinaryOp operator_;
  std::string word_;
};

/// b a^(b-1) dy from (a, b, dy).
class PowerGradientLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor base = inOneVariable(broadcastView(operands[0], site_.result), "base", program);
    const auto like_base = [&](const Tensor& operand, const char* part) {
      return storageOf(graph, alike(base, broadcastView(operand, site_.result), part, program));
    };
    const Tensor exponents = like_base(operands[1], "exponents");
    const Tensor gradient = like_base(operands[2], "gradient");
    Elementwise ops(graph, site_.machine, program);
    const Tensor lower =
        ops.withScalar(models::BinaryOp::Add, exponents, -1, step("Add"), Lifetime::Temporary);
    const Tensor dx = ops.binary(models::BinaryOp::Power, storageOf(graph, base), lower,
                                 step("Power"), site_.lifetime);
    ops.binaryInPlace(models::BinaryOp::Multiply, dx, exponents, step("Multiply_by_exponent"));
    ops.binaryInPlace(models::BinaryOp::Multiply, dx, gradient, step("Multiply_by_gradient"));
    return {resultIn(dx, base)};
  }
};

}  // namespace

NodeLoweringPointer lowerBinary(BinaryFunction function, NodeSite site) {
  return std::make_unique<BinaryLowering>(operatorOf(function), wordOf(function, kBinaryFunctions),
                                          std::move(site));
}

NodeLoweringPointer lowerComparison(Comparison comparison, NodeSite site) {
  return std::make_unique<BinaryLowering>(operatorOf(comparison), wordOf(comparison, kComparisons),
                                          std::move(site));
}

NodeLoweringPointer lowerPowerGradient(NodeSite site) {
  return std::make_unique<PowerGradientLowering>(std::move(site));
}

}  // namespace ipusim::workloads
