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
    if (const auto dim = vectorDim(operands)) return {withVector(operands, *dim, program)};
    const Shape& shape = site_.result;
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

  /// The dimension of the left operand along which the right one is a vector, as the bias of a
  /// convolution is along the channels.
  [[nodiscard]] std::optional<std::size_t> vectorDim(const std::vector<Tensor>& operands) const {
    using Op = models::BinaryOp;
    const bool may_repeat =
        *operator_ == Op::Add || *operator_ == Op::Subtract || *operator_ == Op::Multiply;
    const Shape& left = operands[0].shape();
    const Shape& right = operands[1].shape();
    if (!may_repeat || left != site_.result || right.size() > left.size()) return std::nullopt;
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

  /// Repeats the vector where the left operand lies. A sum is written over it where nothing else
  /// reads it.
  Tensor withVector(const std::vector<Tensor>& operands, std::size_t dim, Program& program) {
    Graph& graph = site_.graph;
    const Tensor left = inOneVariable(operands[0], "left", program);
    const bool overwrites = function_ == BinaryFunction::Add && site_.is_last_use[0];
    const char* const word = wordOf(function_, kBinaryFunctions);
    Tensor out = overwrites ? left : addAlike(graph, left, left.type(), step(word), site_.lifetime);
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < left.shape().size(); ++d) {
      if (d != dim) order.push_back(d);
    }
    order.push_back(dim);
    const Tensor vector = operands[1].reshape({operands[1].elements()});
    addBesideVector(graph, {*operator_, left.dimShuffle(order), vector, out.dimShuffle(order)},
                    step(word), program);
    return out;
  }

  BinaryFunction function_;
  std::optional<models::BinaryOp> operator_;
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

NodeLoweringPointer lowerBinary(BinaryFunction function, NodeSite site) {
  return std::make_unique<BinaryLowering>(function, std::move(site));
}

NodeLoweringPointer lowerScale(double factor, NodeSite site) {
  return std::make_unique<ScaleLowering>(factor, std::move(site));
}

}  // namespace ipusim::workloads
