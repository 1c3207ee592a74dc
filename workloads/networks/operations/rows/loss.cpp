// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/rows/loss.h"

#include <cmath>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/graph/rounding_probe.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/numbers.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/ops/softmax/softmax_loss.h"

namespace ipusim::workloads {

namespace {

class CrossEntropyLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor& logits = operands[0];
    const std::uint64_t classes = logits.shape().back();
    const std::uint64_t rows = logits.elements() / classes;
    const SoftmaxLoss loss = addSoftmaxLoss(
        site_.graph, site_.machine, {logits.reshape({rows, classes}), operands[1].reshape({rows})},
        site_.name, program);
    return {loss.loss, loss.gradient.reshape(logits.shape())};
  }
};

/// Steps on the difference a - b of the operands.
class ErrorLowering : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

 protected:
  struct Difference {
    Tensor like;     ///< a, in one variable
    Tensor storage;  ///< of the difference, which lies like that
  };
  Difference difference(const std::vector<Tensor>& operands, Elementwise& ops, Program& program) {
    const Tensor a = inOneVariable(operands[0], "result", program);
    const Tensor b = alike(a, operands[1], "target", program);
    return {a, ops.binary(models::BinaryOp::Subtract, storageOf(site_.graph, a),
                          storageOf(site_.graph, b), step("Subtract"), Lifetime::Temporary)};
  }
};

class SquaredErrorLowering final : public ErrorLowering {
 public:
  using ErrorLowering::ErrorLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Elementwise ops(site_.graph, site_.machine, program);
    const auto [a, storage] = difference(operands, ops, program);
    const Tensor squares = ops.binary(models::BinaryOp::Multiply, storage, storage,
                                      step("Multiply"), Lifetime::Temporary);
    const Tensor column =
        consecutive(site_.graph, site_.machine,
                    a.inVariable(squares.pieces().front().variable).reshape({a.elements(), 1}),
                    step("squares"), program);
    Tensor loss =
        sumRows(site_.graph, site_.machine, column, {step("mean"), Lifetime::Always}, program);
    ops.scaleInPlace(loss, 1 / static_cast<double>(a.elements()), step("mean/Multiply"));
    return {loss};
  }
};

class SquaredErrorGradientLowering final : public ErrorLowering {
 public:
  using ErrorLowering::ErrorLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Elementwise ops(site_.graph, site_.machine, program);
    const auto [a, storage] = difference(operands, ops, program);
    ops.scaleInPlace(storage, 2 / static_cast<double>(a.elements()), step("Multiply"));
    return {a.inVariable(storage.pieces().front().variable)};
  }
};

// A softmax rounds a difference, an exponential and a quotient, besides its sum.
constexpr double kRoundingsOfSoftmax = 3;

// Largest, subtract, exponent, sum, divide.
constexpr std::uint64_t kCrossEntropyFlops = 5;
constexpr std::uint64_t kFlopsOfError = 3;

/// Whether the bits of a number sum up to an odd one: a sequence without a period.
bool hasOddBits(std::size_t number) {
  bool is_odd = false;
  for (; number > 0; number >>= 1U) is_odd = is_odd != ((number & 1U) != 0);
  return is_odd;
}

/// The gradient of a loss, times the gradient by the loss where other nodes follow it.
OperandGradients scaledByLoss(const GradientSite& site, NetworkTensorId gradient) {
  const std::optional<NetworkTensorId>& by_loss = site.result_gradients.front();
  if (by_loss) {
    gradient = site.graph.add(site.name + "/scaled", binary(models::BinaryOp::Multiply),
                              {gradient, *by_loss});
  }
  return {gradient, std::nullopt};
}

class CrossEntropy final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "cross_entropy"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] bool isLoss() const override { return true; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    Shape rows = operands[0].shape;
    if (rows.empty()) throw OperandError("logits (rows..., classes)", textOf(rows));
    rows.pop_back();
    expectWhole(operands[1], "labels");
    if (operands[1].shape != rows) {
      throw OperandError("labels of the shape " + textOf(rows), textOf(operands[1].shape));
    }
    return {{{1}, ElementType::Float}, operands[0]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kCrossEntropyFlops);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return scaledByLoss(site, site.results[1]);
  }
  [[nodiscard]] std::optional<std::uint64_t> indicesBelow(
      std::size_t operand, const TensorTypes& operands) const override {
    return operand == 1 ? std::make_optional(operands[0].shape.back()) : std::nullopt;
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<CrossEntropyLowering>(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return withProbabilities(operands, 0, [](std::size_t) { return 1.0; });
  }
  /// A probability near 1 is off by its roundings: the gradient is what is left of it when 1 is
  /// taken away, and the loss is its logarithm. A sum rounds once per class.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    const std::uint64_t classes = operands[0].type.shape.back();
    const double error = errorOf(operands);
    return withProbabilities(operands, error, [=](std::size_t element) {
      return hasOddBits(element / classes) ? 1 - error : 1 + error;
    });
  }
  [[nodiscard]] std::vector<TensorValues> computeProbed(const NumberedTensors& operands,
                                                        RoundingProbe& probe) const override {
    const double error = errorOf(operands);
    return withProbabilities(operands, error, [&](std::size_t /*element*/) {
      return probe(ElementType::Float, 1) < 1 ? 1 - error : 1 + error;
    });
  }

  /// The gradient is a probability less 1, or less nothing.
  [[nodiscard]] bool mayCancel() const override { return true; }

 private:
  /// How far probabilities are off, as a share of them.
  [[nodiscard]] static double errorOf(const NumberedTensors& operands) {
    const auto classes = static_cast<double>(operands[0].type.shape.back());
    return (kRoundingsOfSoftmax + classes) * unitRoundoff(operands[0].type.type);
  }

  /// The loss, which is off by `error`, and its gradient, where probabilities are off by a factor
  /// per element before labels are taken from them.
  template <typename Factor>
  [[nodiscard]] static std::vector<TensorValues> withProbabilities(const NumberedTensors& operands,
                                                                   double error,
                                                                   const Factor& factor_of) {
    const Shape& shape = operands[0].type.shape;
    TensorValues y = logSoftmaxOf(operands[0].values, viewAround(shape, shape.size() - 1));
    const TensorValues& labels = operands[1].values;
    const auto labelled = [&](std::size_t row) {
      return row * shape.back() + indexBelow(shape.back(), labels[row]);
    };
    double loss = error;
    for (std::size_t r = 0; r < labels.size(); ++r) {
      loss -= y[labelled(r)] / static_cast<double>(labels.size());
    }
    for (std::size_t e = 0; e < y.size(); ++e) y[e] = std::exp(y[e]) * factor_of(e);
    for (std::size_t r = 0; r < labels.size(); ++r) y[labelled(r)] -= 1;
    for (double& value : y) value /= static_cast<double>(labels.size());
    return {{loss}, std::move(y)};
  }
};

/// 2 (a - b) / elements.
class SquaredErrorGradient final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "squared_error_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {operands[0]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], 2);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<SquaredErrorGradientLowering>(std::move(site));
  }
  [[nodiscard]] bool mayCancel() const override { return true; }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues dx = operands[0].values;
    for (std::size_t e = 0; e < dx.size(); ++e) {
      dx[e] = 2 * (dx[e] - operands[1].values[e]) / static_cast<double>(dx.size());
    }
    return {std::move(dx)};
  }
};

class SquaredError final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "squared_error"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] bool isLoss() const override { return true; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    if (operands[0].shape != operands[1].shape) {
      throw OperandError("two tensors of one shape",
                         textOf(operands[0].shape) + " and " + textOf(operands[1].shape));
    }
    return {{{1}, ElementType::Float}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kFlopsOfError);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return scaledByLoss(site, site.graph.add(site.name, std::make_shared<SquaredErrorGradient>(),
                                             {site.operands[0], site.operands[1]}));
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<SquaredErrorLowering>(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    double loss = 0;
    for (std::size_t e = 0; e < operands[0].values.size(); ++e) {
      const double error = operands[0].values[e] - operands[1].values[e];
      loss += error * error / static_cast<double>(operands[0].values.size());
    }
    return {{loss}};
  }
};

}  // namespace

OperationPointer crossEntropyLoss() {
  return std::make_shared<CrossEntropy>();
}

OperationPointer squaredErrorLoss() {
  return std::make_shared<SquaredError>();
}

}  // namespace ipusim::workloads
