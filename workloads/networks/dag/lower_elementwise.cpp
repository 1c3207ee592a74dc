// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/elementwise/nonlinearity.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

/// The operator of the library that computes a function, if it has one.
std::optional<models::UnaryOp> operatorOf(UnaryFunction function) {
  switch (function) {
    case UnaryFunction::Relu:
      return models::UnaryOp::Relu;
    case UnaryFunction::Sigmoid:
      return models::UnaryOp::Sigmoid;
    case UnaryFunction::Tanh:
      return models::UnaryOp::Tanh;
    case UnaryFunction::Exponent:
      return models::UnaryOp::Exponent;
    case UnaryFunction::Logarithm:
      return models::UnaryOp::Logarithm;
    case UnaryFunction::SquareRoot:
      return models::UnaryOp::Sqrt;
    case UnaryFunction::Reciprocal:
      return models::UnaryOp::Inverse;
    case UnaryFunction::Negate:
      return models::UnaryOp::Negate;
    case UnaryFunction::Absolute:
      return models::UnaryOp::Absolute;
    default:
      return std::nullopt;
  }
}

std::optional<models::BinaryOp> operatorOf(BinaryFunction function) {
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
  return std::nullopt;
}

/// The tensor in the variable of `storage` that lies there as `like` lies in its own.
Tensor resultIn(const Tensor& storage, const Tensor& like) {
  return like.inVariable(storage.pieces().front().variable);
}

class UnaryLowering final : public NodeLowering {
 public:
  UnaryLowering(UnaryFunction function, NodeSite site)
      : NodeLowering(std::move(site)), operator_(operatorOf(function)) {
    if (!operator_) throw notLowered(wordOf(function, kUnaryFunctions));
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage =
        ops.unary(*operator_, storageOf(site_.graph, x), step("Nonlinearity"), site_.lifetime);
    return {resultIn(storage, x)};
  }

 private:
  std::optional<models::UnaryOp> operator_;
};

class ReluGradientLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor result = inOneVariable(operands[0], "result", program);
    const Tensor gradient = alike(result, operands[1], "arranged", program);
    const Tensor storage =
        reluGradient(graph, site_.machine, {storageOf(graph, gradient), storageOf(graph, result)},
                     site_.name, program);
    return {resultIn(storage, result)};
  }
};

class ScaleLowering final : public NodeLowering {
 public:
  ScaleLowering(double factor, NodeSite site) : NodeLowering(std::move(site)), factor_(factor) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage =
        ops.scale(storageOf(site_.graph, x), factor_, site_.name, site_.lifetime);
    return {resultIn(storage, x)};
  }

 private:
  double factor_;
};

class BinaryLowering final : public NodeLowering {
 public:
  BinaryLowering(BinaryFunction function, NodeSite site)
      : NodeLowering(std::move(site)), function_(function), operator_(operatorOf(function)) {
    if (!operator_) throw notLowered(wordOf(function, kBinaryFunctions));
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (addsRow(operands)) return {withRow(operands, program)};
    const Shape& shape = operands[0].elements() >= operands[1].elements() ? operands[0].shape()
                                                                          : operands[1].shape();
    const Tensor left = inOneVariable(broadcastView(operands[0], shape), "left", program);
    const Tensor right = broadcastView(operands[1], shape);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage = ops.binary(*operator_, storageOf(site_.graph, left),
                                      storageOf(site_.graph, alike(left, right, "right", program)),
                                      step(wordOf(function_, kBinaryFunctions)), site_.lifetime);
    return {resultIn(storage, left)};
  }

 private:
  /// Whether the right operand is added to each row of the left one.
  [[nodiscard]] bool addsRow(const std::vector<Tensor>& operands) const {
    return function_ == BinaryFunction::Add && operands[0].shape().size() >= 2 &&
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

  BinaryFunction function_;
  std::optional<models::BinaryOp> operator_;
};

}  // namespace

NodeLoweringPointer lowerUnary(UnaryFunction function, NodeSite site) {
  return std::make_unique<UnaryLowering>(function, std::move(site));
}

NodeLoweringPointer lowerUnaryGradient(UnaryFunction function, NodeSite site) {
  if (function == UnaryFunction::Relu) {
    return std::make_unique<ReluGradientLowering>(std::move(site));
  }
  throw NotLowered(site.name + ": the gradient of " + wordOf(function, kUnaryFunctions) +
                   " has no steps for tiles");
}

NodeLoweringPointer lowerBinary(BinaryFunction function, NodeSite site) {
  return std::make_unique<BinaryLowering>(function, std::move(site));
}

NodeLoweringPointer lowerScale(double factor, NodeSite site) {
  return std::make_unique<ScaleLowering>(factor, std::move(site));
}

}  // namespace ipusim::workloads
