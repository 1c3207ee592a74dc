// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/number_operand.h"

#include <fmt/format.h>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/binary_loops.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/graph/rounding_probe.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/vertices/elementwise/operators.h"

namespace ipusim::workloads {

using models::BinaryOp;

namespace {

class ScalarBinaryLowering final : public NodeLowering {
 public:
  ScalarBinaryLowering(BinaryOp op, double number, NodeSite site)
      : NodeLowering(std::move(site)), op_(op), number_(number) {
    const models::BinaryOpKind kind{op_, site_.types.front().type};
    if (!models::hasLoop(kind, models::SecondOperand::Scalar)) {
      throw notLowered(operatorOf(op_).word + std::string(" with a number of the type ") +
                       nameOf(site_.types.front().type));
    }
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage = ops.withScalar(op_, storageOf(site_.graph, x), number_,
                                          step(operatorOf(op_).word), site_.lifetime);
    return {resultIn(storage, x)};
  }

 private:
  BinaryOp op_;
  double number_;
};

class LogicalNotLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage = ops.unary(models::UnaryOp::LogicalNot, storageOf(site_.graph, x),
                                     step("Not"), site_.lifetime);
    return {resultIn(storage, x)};
  }
};

class ScalarBinary final : public Operation {
 public:
  ScalarBinary(const BinaryOperator& row, double number) : row_(row), number_(number) {}
  [[nodiscard]] std::string kind() const override { return row_.word + std::string("_number"); }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", number_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return {{operands[0].shape, resultType(row_.op, operands[0].type)}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] bool hasDomain() const override { return row_.domain != Domain::All; }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const NetworkTensorId dy = *site.result_gradients.front();
    switch (row_.op) {
      case BinaryOp::Add:
        return {dy};
      case BinaryOp::Divide:
        return {site.graph.add(site.name, withNumber(BinaryOp::Divide, number_), {dy})};
      case BinaryOp::Power:
        return {ofPower(site)};
      case BinaryOp::Maximum:
        return {where(site, BinaryOp::GreaterOrEqual)};
      case BinaryOp::Minimum:
        return {where(site, BinaryOp::LessOrEqual)};
      default:
        return {std::nullopt};
    }
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ScalarBinaryLowering>(row_.op, number_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const double number = roundedNumber(operands[0].type.type);
    TensorValues result = operands[0].values;
    for (double& value : result) value = row_.value(value, number);
    return {std::move(result)};
  }
  [[nodiscard]] std::optional<double> numberOf(BinaryOp op) const {
    return row_.op == op ? std::optional(number_) : std::nullopt;
  }

 private:
  /// The number as tiles hold it.
  [[nodiscard]] double roundedNumber(ElementType type) const { return roundedTo(type, number_); }

  /// The gradient where the operand, and not the number, is the result.
  [[nodiscard]] NetworkTensorId where(const GradientSite& site, BinaryOp op) const {
    const NetworkTensorId dy = *site.result_gradients.front();
    const NetworkTensorId is_kept =
        site.graph.add(site.name + "/kept", withNumber(op, number_), {site.operands[0]});
    const NetworkTensorId mask =
        site.graph.add(site.name + "/mask", cast(site.graph[dy].type.type), {is_kept});
    return site.graph.add(site.name, binary(BinaryOp::Multiply), {dy, mask});
  }

  /// dy n x^(n - 1)
  [[nodiscard]] NetworkTensorId ofPower(const GradientSite& site) const {
    const NetworkTensorId power = site.graph.add(
        site.name + "/power", withNumber(BinaryOp::Power, number_ - 1), {site.operands[0]});
    const NetworkTensorId product = site.graph.add(site.name, binary(BinaryOp::Multiply),
                                                   {*site.result_gradients.front(), power});
    return site.graph.add(site.name + "/scale", scale(number_), {product});
  }

  const BinaryOperator& row_;
  double number_;
};

class LogicalNot final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "not"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    if (operands[0].type != ElementType::Bool) {
      throw OperandError("bools", nameOf(operands[0].type));
    }
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& /*site*/) const override {
    return {std::nullopt};
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] OperandNeed needOf(std::size_t /*operand*/) const override {
    return OperandNeed::Exact;
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<LogicalNotLowering>(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[0].values;
    for (double& value : result) value = value == 0 ? 1 : 0;
    return {std::move(result)};
  }
};

}  // namespace

bool takesNumber(models::BinaryOp op) {
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Divide:
    case BinaryOp::Maximum:
    case BinaryOp::Minimum:
    case BinaryOp::Power:
      return true;
    default:
      return operatorOf(op).result == ResultKind::Truth && op != BinaryOp::LogicalAnd &&
             op != BinaryOp::LogicalOr;
  }
}

OperationPointer withNumber(models::BinaryOp op, double number) {
  check(takesNumber(op), "an operator that takes a number");
  return std::make_shared<ScalarBinary>(operatorOf(op), number);
}

std::optional<double> numberBeside(const Operation& operation, models::BinaryOp op) {
  const auto* const found = dynamic_cast<const ScalarBinary*>(&operation);
  return found == nullptr ? std::nullopt : found->numberOf(op);
}

OperationPointer logicalNot() {
  return std::make_shared<LogicalNot>();
}

}  // namespace ipusim::workloads
