// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
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
    case UnaryFunction::Gelu:
      return models::UnaryOp::GeluErf;
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
    case UnaryFunction::ErrorFunction:
      return models::UnaryOp::Erf;
    default:
      return std::nullopt;
  }
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

/// The vertices in place that compute a function, if the library has them.
std::optional<models::NonLinearity> nonlinearityOf(UnaryFunction function) {
  if (function == UnaryFunction::GeluTanh) return models::NonLinearity::Gelu;
  if (function == UnaryFunction::Silu) return models::NonLinearity::Swish;
  return std::nullopt;
}

/// A copy, and a function in place.
class NonlinearityLowering final : public NodeLowering {
 public:
  NonlinearityLowering(models::NonLinearity function, NodeSite site)
      : NodeLowering(std::move(site)), function_(function) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor x = inOneVariable(operands.front(), "x", program);
    const Tensor y = addAlike(graph, x, x.type(), step("y"), site_.lifetime);
    program.add(graph.copy(x, y, step("Copy")));
    nonlinearityInPlace(graph, site_.machine, function_, {storageOf(graph, y), site_.name},
                        program);
    return {y};
  }

 private:
  models::NonLinearity function_;
};

/// The vertices that compute the gradient of a function, if the library has them.
std::optional<models::NonLinearity> gradientOf(UnaryFunction function) {
  switch (function) {
    case UnaryFunction::Relu:
      return models::NonLinearity::Relu;
    case UnaryFunction::Sigmoid:
      return models::NonLinearity::Sigmoid;
    case UnaryFunction::Tanh:
      return models::NonLinearity::Tanh;
    case UnaryFunction::Gelu:
      return models::NonLinearity::GeluErf;
    default:
      return nonlinearityOf(function);
  }
}

class NonlinearityGradientLowering final : public NodeLowering {
 public:
  NonlinearityGradientLowering(models::NonLinearity function, NodeSite site)
      : NodeLowering(std::move(site)), function_(function) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor saved = inOneVariable(operands[0], "saved", program);
    const Tensor gradient = alike(saved, operands[1], "arranged", program);
    const Tensor storage = nonlinearityGradient(
        graph, site_.machine, {function_, storageOf(graph, gradient), storageOf(graph, saved)},
        {site_.name, site_.lifetime}, program);
    return {resultIn(storage, saved)};
  }

 private:
  models::NonLinearity function_;
};

/// Operators that make the gradient of a function without a vertex of its own.
class GradientOperators {
 public:
  /// `saved` and `gradient` lie alike, as does the result.
  GradientOperators(Elementwise& ops, const Tensor& saved, const Tensor& gradient,
                    const OpResult& result)
      : ops_(ops), saved_(saved), gradient_(gradient), result_(result) {}

  Tensor of(UnaryFunction function) {
    switch (function) {
      case UnaryFunction::Exponent:
        return binary(models::BinaryOp::Multiply, saved_);
      case UnaryFunction::Logarithm:
        return binary(models::BinaryOp::Divide, saved_);
      case UnaryFunction::SquareRoot:
        return scaled(binary(models::BinaryOp::Divide, saved_), 0.5);
      case UnaryFunction::Reciprocal:
        return scaled(binary(models::BinaryOp::Multiply, temporary(models::UnaryOp::Square)), -1);
      case UnaryFunction::Absolute:
        return binary(models::BinaryOp::Multiply, temporary(models::UnaryOp::Signum));
      case UnaryFunction::ErrorFunction:
        return scaled(binary(models::BinaryOp::Multiply, bell()), kTwoOverSqrtPi);
      default:
        return ops_.unary(models::UnaryOp::Negate, gradient_, result_.name + "/Negate",
                          result_.lifetime);
    }
  }

 private:
  Tensor binary(models::BinaryOp op, const Tensor& right) {
    return ops_.binary(op, gradient_, right, result_.name + "/gradient", result_.lifetime);
  }
  Tensor temporary(models::UnaryOp op) {
    return ops_.unary(op, saved_, result_.name + "/slope", Lifetime::Temporary);
  }
  /// exp(-saved^2)
  Tensor bell() {
    Tensor slope = temporary(models::UnaryOp::Square);
    ops_.unaryInPlace(models::UnaryOp::Negate, slope, result_.name + "/slope/Negate");
    ops_.unaryInPlace(models::UnaryOp::Exponent, slope, result_.name + "/slope/Exponent");
    return slope;
  }
  Tensor scaled(Tensor tensor, double factor) {
    ops_.scaleInPlace(tensor, factor, result_.name + "/Multiply");
    return tensor;
  }

  Elementwise& ops_;
  const Tensor& saved_;
  const Tensor& gradient_;
  const OpResult& result_;
};

class OperatorGradientLowering final : public NodeLowering {
 public:
  OperatorGradientLowering(UnaryFunction function, NodeSite site)
      : NodeLowering(std::move(site)), function_(function) {
    if (!operatorOf(function)) {
      throw notLowered(std::string("the gradient of ") + wordOf(function, kUnaryFunctions));
    }
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor saved = inOneVariable(operands[0], "saved", program);
    const Tensor gradient = alike(saved, operands[1], "arranged", program);
    Elementwise ops(graph, site_.machine, program);
    const Tensor x = storageOf(graph, saved);
    const Tensor dy = storageOf(graph, gradient);
    const OpResult result{site_.name, site_.lifetime};
    return {resultIn(GradientOperators(ops, x, dy, result).of(function_), saved)};
  }

 private:
  UnaryFunction function_;
};

}  // namespace

NodeLoweringPointer lowerUnary(UnaryFunction function, NodeSite site) {
  if (isPiecewise(function)) return lowerPiecewise(function, std::move(site));
  if (const auto nonlinearity = nonlinearityOf(function)) {
    return std::make_unique<NonlinearityLowering>(*nonlinearity, std::move(site));
  }
  return std::make_unique<UnaryLowering>(function, std::move(site));
}

NodeLoweringPointer lowerUnaryGradient(UnaryFunction function, NodeSite site) {
  if (isPiecewise(function)) return lowerPiecewiseGradient(function, std::move(site));
  if (const auto nonlinearity = gradientOf(function)) {
    return std::make_unique<NonlinearityGradientLowering>(*nonlinearity, std::move(site));
  }
  return std::make_unique<OperatorGradientLowering>(function, std::move(site));
}

}  // namespace ipusim::workloads
