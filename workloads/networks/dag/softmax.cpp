// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/networks/dag/elementwise.h"
#include "workloads/networks/dag/indexing.h"
#include "workloads/networks/dag/lowerings.h"
#include "workloads/networks/dag/network_graph.h"
#include "workloads/ops/numbers.h"

namespace ipusim::workloads {

namespace {

// A softmax rounds a difference, an exponential and a quotient, besides its sum.
constexpr double kRoundingsOfSoftmax = 3;

// Largest, subtract, exponent, sum, divide.
constexpr std::uint64_t kFlopsOfSoftmax = 5;
constexpr std::uint64_t kSoftmaxGradientFlops = 4;
constexpr std::uint64_t kFlopsOfError = 3;

/// Whether the bits of a number sum up to an odd one: a sequence without a period.
bool hasOddBits(std::size_t number) {
  bool is_odd = false;
  for (; number > 0; number >>= 1U) is_odd ^= (number & 1U) != 0;
  return is_odd;
}

void expectAxis(const TensorTypes& operands, std::size_t axis) {
  if (axis < operands[0].shape.size()) return;
  throw OperandError(fmt::format("more than {} dimensions", axis), textOf(operands[0].shape));
}

TensorValues logSoftmaxOf(const TensorValues& x, const AxisView& view) {
  TensorValues y(x.size());
  for (std::uint64_t o = 0; o < view.outer; ++o) {
    for (std::uint64_t i = 0; i < view.inner; ++i) {
      double largest = -std::numeric_limits<double>::infinity();
      for (std::uint64_t s = 0; s < view.size; ++s)
        largest = std::max(largest, x[view.at(o, s, i)]);
      double sum = 0;
      for (std::uint64_t s = 0; s < view.size; ++s) sum += std::exp(x[view.at(o, s, i)] - largest);
      for (std::uint64_t s = 0; s < view.size; ++s) {
        y[view.at(o, s, i)] = x[view.at(o, s, i)] - largest - std::log(sum);
      }
    }
  }
  return y;
}

/// dx from (y, dy).
class SoftmaxGradient final : public Operation {
 public:
  SoftmaxGradient(SoftmaxForm form, std::size_t axis) : form_(form), axis_(axis) {}
  [[nodiscard]] std::string kind() const override {
    return form_ == SoftmaxForm::Plain ? "softmax_gradient" : "log_softmax_gradient";
  }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", axis_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {operands[1]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kSoftmaxGradientFlops);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerSoftmaxGradient(form_, axis_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const AxisView view = viewAround(operands[0].type.shape, axis_);
    const TensorValues& y = operands[0].values;
    const TensorValues& dy = operands[1].values;
    const bool is_plain = form_ == SoftmaxForm::Plain;
    TensorValues dx(y.size());
    for (std::uint64_t o = 0; o < view.outer; ++o) {
      for (std::uint64_t i = 0; i < view.inner; ++i) {
        double sum = 0;
        for (std::uint64_t s = 0; s < view.size; ++s) {
          const std::uint64_t at = view.at(o, s, i);
          sum += is_plain ? dy[at] * y[at] : dy[at];
        }
        for (std::uint64_t s = 0; s < view.size; ++s) {
          const std::uint64_t at = view.at(o, s, i);
          dx[at] = is_plain ? y[at] * (dy[at] - sum) : dy[at] - std::exp(y[at]) * sum;
        }
      }
    }
    return {std::move(dx)};
  }

 private:
  SoftmaxForm form_;
  std::size_t axis_;
};

class Softmax final : public Operation {
 public:
  Softmax(SoftmaxForm form, std::size_t axis) : form_(form), axis_(axis) {}
  [[nodiscard]] std::string kind() const override {
    return form_ == SoftmaxForm::Plain ? "softmax" : "log_softmax";
  }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", axis_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    expectAxis(operands, axis_);
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kFlopsOfSoftmax);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, std::make_shared<SoftmaxGradient>(form_, axis_),
                           {site.results[0], *site.result_gradients.front()})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerSoftmax(form_, axis_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues y = logSoftmaxOf(operands[0].values, viewAround(operands[0].type.shape, axis_));
    if (form_ == SoftmaxForm::Plain) {
      for (double& value : y) value = std::exp(value);
    }
    return {std::move(y)};
  }

 private:
  SoftmaxForm form_;
  std::size_t axis_;
};

/// The gradient of a loss, times the gradient by the loss where other nodes follow it.
OperandGradients scaledByLoss(const GradientSite& site, NetworkTensorId gradient) {
  const std::optional<NetworkTensorId>& by_loss = site.result_gradients.front();
  if (by_loss) {
    gradient = site.graph.add(site.name + "/scaled", binary(BinaryFunction::Multiply),
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
    return elementwiseFlops(operands[0], kFlopsOfSoftmax);
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
    return lowerCrossEntropy(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return withProbabilities(operands, 0);
  }
  /// A probability near 1 is off by its roundings, and the gradient is what is left of it when 1 is
  /// taken away. A sum rounds once per class.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    const auto classes = static_cast<double>(operands[0].type.shape.back());
    return withProbabilities(operands,
                             (kRoundingsOfSoftmax + classes) * unitRoundoff(operands[0].type.type));
  }

 private:
  /// The loss and its gradient, where the probabilities of a row are off by the relative `error`,
  /// up or down, before labels are taken from them.
  [[nodiscard]] static std::vector<TensorValues> withProbabilities(const NumberedTensors& operands,
                                                                   double error) {
    const Shape& shape = operands[0].type.shape;
    TensorValues y = logSoftmaxOf(operands[0].values, viewAround(shape, shape.size() - 1));
    const TensorValues& labels = operands[1].values;
    const auto labelled = [&](std::size_t row) {
      return row * shape.back() + indexBelow(shape.back(), labels[row]);
    };
    double loss = 0;
    for (std::size_t r = 0; r < labels.size(); ++r) {
      loss -= y[labelled(r)] / static_cast<double>(labels.size());
    }
    for (std::size_t e = 0; e < y.size(); ++e) {
      y[e] = std::exp(y[e]) * (hasOddBits(e / shape.back()) ? 1 - error : 1 + error);
    }
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
    return lowerSquaredErrorGradient(std::move(site));
  }
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
    return lowerSquaredError(std::move(site));
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

OperationPointer softmax(std::size_t axis) {
  return std::make_shared<Softmax>(SoftmaxForm::Plain, axis);
}

OperationPointer logSoftmax(std::size_t axis) {
  return std::make_shared<Softmax>(SoftmaxForm::Logarithm, axis);
}

OperationPointer crossEntropyLoss() {
  return std::make_shared<CrossEntropy>();
}

OperationPointer squaredErrorLoss() {
  return std::make_shared<SquaredError>();
}

}  // namespace ipusim::workloads
