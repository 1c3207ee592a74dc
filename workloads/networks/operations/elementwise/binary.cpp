// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "models/ipu/cost/elementwise/binary_loops.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/view_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/power_gradient.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/broadcast_product.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/vertices/elementwise/operators.h"

namespace ipusim::workloads {

using models::BinaryOp;

namespace {

class BinaryLowering final : public NodeLowering {
 public:
  BinaryLowering(const BinaryOperator& row, NodeSite site)
      : NodeLowering(std::move(site)), operator_(row.op), word_(row.word) {
    const models::BinaryOpKind kind{operator_, site_.types.front().type};
    if (!models::hasLoop(kind, models::SecondOperand::Tensor)) {
      throw notLowered(word_ + " of the type " + nameOf(site_.types.front().type));
    }
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (hasRow(operands)) {
      if (operator_ == BinaryOp::Add) return {withRow(operands, program)};
      if (operator_ == BinaryOp::Multiply) return {timesRow(operands, program)};
    }
    if (const auto dim = vectorDim(operands)) return {withVector(operands, *dim, program)};
    if (hasScalar(operands)) return {withScalar(operands, program)};
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
  /// Whether the left operand has a type of the vertices beside a row, a vector or one number.
  static bool isReal(const std::vector<Tensor>& operands) {
    return operands[0].type() == ElementType::Half || operands[0].type() == ElementType::Float;
  }

  /// Whether the right operand is for each row of the left one.
  static bool hasRow(const std::vector<Tensor>& operands) {
    return isReal(operands) && operands[0].shape().size() >= 2 &&
           operands[1].shape() == Shape{operands[0].shape().back()};
  }

  /// Whether the right operand is one number for all elements of the left one.
  [[nodiscard]] bool hasScalar(const std::vector<Tensor>& operands) const {
    const bool has_vertex = operator_ == BinaryOp::Add || operator_ == BinaryOp::Multiply ||
                            operator_ == BinaryOp::Maximum || operator_ == BinaryOp::Minimum;
    return has_vertex && isReal(operands) && operands[1].elements() == 1 &&
           operands[0].shape() == site_.result && operands[0].elements() > 1;
  }

  /// Sends the number to the tiles of the left operand.
  Tensor withScalar(const std::vector<Tensor>& operands, Program& program) {
    const Tensor left = inOneVariable(operands[0], "left", program);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage = ops.withScalar(operator_, storageOf(site_.graph, left), operands[1],
                                          step(word_), site_.lifetime);
    return resultIn(storage, left);
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
    const bool may_repeat = operator_ == BinaryOp::Add || operator_ == BinaryOp::Subtract ||
                            operator_ == BinaryOp::Multiply;
    const Shape& left = operands[0].shape();
    const Shape& right = operands[1].shape();
    if (!may_repeat || !isReal(operands) || left != site_.result || right.size() > left.size()) {
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
    const bool overwrites =
        operator_ == BinaryOp::Add && site_.is_last_use[0] && viewsOneVariable(graph, operands[0]);
    Tensor out =
        overwrites ? left : addAlike(graph, left, left.type(), step(word_), site_.lifetime);
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < left.shape().size(); ++d) {
      if (d != dim) order.push_back(d);
    }
    order.push_back(dim);
    const Tensor vector = operands[1].reshape({operands[1].elements()});
    addVectorBroadcast(graph, {operator_, left.dimShuffle(order), vector, out.dimShuffle(order)},
                       step(word_), program);
    return out;
  }

  BinaryOp operator_;
  std::string word_;  ///< in names of steps
};

/// Builds the nodes of the gradients of a binary operation. None where there is no gradient: of a
/// comparison, and by the exponent of a power, which is a constant.
class BinaryGradient {
 public:
  BinaryGradient(BinaryOp op, const GradientSite& site)
      : op_(op), site_(site), gradient_(*site.result_gradients.front()) {}

  [[nodiscard]] std::optional<NetworkTensorId> ofLeft() {
    switch (op_) {
      case BinaryOp::Add:
      case BinaryOp::Subtract:
        return gradient_;
      case BinaryOp::Multiply:
        return combine(BinaryOp::Multiply, gradient_, right());
      case BinaryOp::Divide:
        return combine(BinaryOp::Divide, gradient_, right());
      case BinaryOp::Power:
        return site_.graph.add(site_.name + "/power", powerGradient(),
                               {left(), right(), gradient_});
      case BinaryOp::Maximum:
      case BinaryOp::Minimum:
        return site_.graph.add(site_.name + "/left", select(), {isLeft(), gradient_, zero()});
      default:
        return std::nullopt;
    }
  }

  [[nodiscard]] std::optional<NetworkTensorId> ofRight() {
    switch (op_) {
      case BinaryOp::Add:
        return gradient_;
      case BinaryOp::Subtract:
        return negated(gradient_);
      case BinaryOp::Multiply:
        return combine(BinaryOp::Multiply, gradient_, left());
      case BinaryOp::Divide:  // -dy y / b
        return negated(combine(BinaryOp::Divide,
                               combine(BinaryOp::Multiply, gradient_, site_.results.front()),
                               right()));
      case BinaryOp::Maximum:
      case BinaryOp::Minimum:
        return site_.graph.add(site_.name + "/right", select(), {isLeft(), zero(), gradient_});
      default:
        return std::nullopt;
    }
  }

 private:
  [[nodiscard]] NetworkTensorId left() const { return site_.operands[0]; }
  [[nodiscard]] NetworkTensorId right() const { return site_.operands[1]; }

  NetworkTensorId combine(BinaryOp op, NetworkTensorId a, NetworkTensorId b) {
    return site_.graph.add(site_.name + "/" + operatorOf(op).word, binary(op), {a, b});
  }
  NetworkTensorId negated(NetworkTensorId a) {
    return site_.graph.add(site_.name + "/negate", unary(UnaryFunction::Negate), {a});
  }
  /// Whether the result is the left operand, which it is where both are equal.
  NetworkTensorId isLeft() {
    return combine(op_ == BinaryOp::Maximum ? BinaryOp::GreaterOrEqual : BinaryOp::LessOrEqual,
                   left(), right());
  }
  NetworkTensorId zero() {
    return site_.graph.add(site_.name + "/zero", constant(Shape{1}, 0, site_.operandType(0).type),
                           {});
  }

  BinaryOp op_;
  const GradientSite& site_;
  NetworkTensorId gradient_;
};

class Binary final : public Operation {
 public:
  explicit Binary(const BinaryOperator& row) : row_(row) {}
  [[nodiscard]] std::string kind() const override { return row_.word; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    expectOneType(operands, 0, 2);
    return {{broadcastShape(operands[0].shape, operands[1].shape),
             resultType(row_.op, operands[0].type)}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(infer(operands).front());
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    OperandGradients gradients(2);
    if (row_.result == ResultKind::Truth) return gradients;
    BinaryGradient gradient(row_.op, site);
    const auto summed = [&](std::size_t operand, const std::optional<NetworkTensorId>& whole) {
      if (whole) {
        gradients[operand] = sumOverCopies(site, site.operandType(operand).shape, *whole);
      }
    };
    if (site.wanted[0]) summed(0, gradient.ofLeft());
    if (site.wanted[1]) summed(1, gradient.ofRight());
    return gradients;
  }
  [[nodiscard]] bool hasDomain() const override { return row_.domain != Domain::All; }
  [[nodiscard]] bool mayOverwrite() const override { return row_.op == BinaryOp::Add; }
  [[nodiscard]] bool takesWhole() const override { return row_.op != BinaryOp::Power; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<BinaryLowering>(row_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const Shape shape = broadcastShape(operands[0].type.shape, operands[1].type.shape);
    const auto left = broadcastSources(operands[0].type.shape, shape);
    const auto right = broadcastSources(operands[1].type.shape, shape);
    TensorValues result(left.size());
    for (std::size_t e = 0; e < result.size(); ++e) {
      result[e] = row_.value(operands[0].values[left[e]], operands[1].values[right[e]]);
    }
    // A quotient of whole numbers is one.
    if (row_.op == BinaryOp::Divide && operands[0].type.type == ElementType::UInt32) {
      for (double& value : result) value = std::trunc(value);
    }
    return {std::move(result)};
  }

 private:
  const BinaryOperator& row_;
};

}  // namespace

OperationPointer binary(models::BinaryOp op) {
  return std::make_shared<Binary>(operatorOf(op));
}

}  // namespace ipusim::workloads
