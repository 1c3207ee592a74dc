// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/windows/pooling.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/pooling/pooling.h"

namespace ipusim::workloads {

namespace {

class PoolingNodeLowering : public NodeLowering {
 public:
  /// `input` is (samples, channels, field...).
  PoolingNodeLowering(PoolingShape pooling, const Shape& input, NodeSite site)
      : NodeLowering(std::move(site)), pooling_(std::move(pooling)) {
    const WindowedField windowed{fieldOf(input), pooling_.window, pooling_.motion};
    const WindowMotion& motion = pooling_.motion;
    for (std::size_t d = 0; d < windowed.window.size(); ++d) {
      const std::uint64_t reach = (windowed.window[d] - 1) * motion.dilation[d];
      const std::uint64_t padding = std::max(motion.padding_lower[d], motion.padding_upper[d]);
      if (padding <= reach) continue;
      throw NotLowered(
          fmt::format("{}: wanted a padding of at most {}, so that each window has an element of "
                      "the field, found {}: pad less, or make the window larger",
                      site_.name, reach, padding));
    }
    window_ = {input[0],
               input[1],
               site_.types.back().type,
               windowed.field,
               windowed.positions(),
               windowed.window,
               motion.stride,
               motion.padding_lower,
               motion.dilation};
    divisors_ = divisorsOf(pooling_, windowed);
  }

 protected:
  PoolingSteps steps(Program& program) {
    return {site_.graph, site_.machine, window_, {site_.name, site_.lifetime}, program};
  }
  [[nodiscard]] bool isMaximum() const { return pooling_.function == PoolingFunction::Maximum; }
  /// Whether all windows have as many elements.
  [[nodiscard]] bool isEven() const {
    return std::all_of(divisors_.begin(), divisors_.end(),
                       [this](double divisor) { return divisor == divisors_.front(); });
  }
  [[nodiscard]] double factor() const { return isEven() ? 1 / divisors_.front() : 1; }

  /// Divides the sums of windows, or their gradients, each by its own number.
  Tensor divided(const Tensor& sums, Program& program) {
    Graph& graph = site_.graph;
    const Shape& shape = sums.shape();
    const Tensor flat =
        consecutive(graph, site_.machine, sums, step("sums"), program).reshape({sums.elements()});
    const std::vector<double>& divisors = divisors_;
    const ConstantValues factors = [divisors](std::uint64_t element) {
      return 1 / divisors[element % divisors.size()];
    };
    const Tensor scale = graph.addConstant(sums.type(), flat.shape(), factors, step("factors"));
    graph.mapLinearly(scale, site_.machine);
    return Elementwise(graph, site_.machine, program)
        .binary(models::BinaryOp::Multiply, flat, scale, step("SelectiveScaling"), site_.lifetime)
        .reshape(shape);
  }

 private:
  PoolingShape pooling_;
  PoolWindow window_;
  std::vector<double> divisors_;  ///< one entry per position
};

class PoolingLowering final : public PoolingNodeLowering {
 public:
  using PoolingNodeLowering::PoolingNodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (isMaximum()) return {steps(program).addMaximum(operands[0])};
    const Tensor sums = steps(program).addSum(operands[0], PoolingDirection::Forward, factor());
    return {isEven() ? sums : divided(sums, program)};
  }
};

/// `input` is the shape of the operand of the forward pass.
class PoolingGradientLowering final : public PoolingNodeLowering {
 public:
  using PoolingNodeLowering::PoolingNodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (isMaximum()) {
      return {steps(program).addMaximumGradient(operands[0], operands[1], operands[2])};
    }
    const Tensor gradient = isEven() ? operands[0] : divided(operands[0], program);
    return {steps(program).addSum(gradient, PoolingDirection::Backward, factor())};
  }
};

NodeLoweringPointer lowerPooling(const PoolingShape& pooling, NodeSite site) {
  const Shape input = site.types.front().shape;
  return std::make_unique<PoolingLowering>(pooling, input, std::move(site));
}

constexpr double kBelowAll = -std::numeric_limits<double>::infinity();

WindowedField windowedField(const PoolingShape& shape, const Shape& input) {
  return {fieldOf(input), shape.window, shape.motion};
}

std::string wordOf(const PoolingShape& shape) {
  return shape.function == PoolingFunction::Maximum ? "max_pool" : "average_pool";
}

std::string settingsOf(const PoolingShape& shape) {
  return fmt::format("{} {} {}", static_cast<int>(shape.function), textOf(shape.window),
                     shape.motion.text());
}

/// dx from (x, y, dy) of a maximum, or from (dy) of an average.
class PoolingGradient final : public Operation {
 public:
  PoolingGradient(PoolingShape shape, Shape input)
      : shape_(std::move(shape)), input_(std::move(input)) {}
  [[nodiscard]] std::string kind() const override { return wordOf(shape_) + "_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return settingsOf(shape_) + ' ' + textOf(input_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, isMaximum() ? 3 : 1);
    return {{input_, operands.back().type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands.back(), elementsOf(shape_.window));
  }
  [[nodiscard]] OperandNeed needOf(std::size_t operand) const override {
    return isMaximum() && operand < 2 ? OperandNeed::Exact : OperandNeed::Value;
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<PoolingGradientLowering>(shape_, input_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const WindowedField windowed = windowedField(shape_, input_);
    return {isMaximum() ? ofMaximum(windowed, operands) : ofAverage(windowed, operands[0].values)};
  }

 private:
  [[nodiscard]] bool isMaximum() const { return shape_.function == PoolingFunction::Maximum; }

  [[nodiscard]] TensorValues ofAverage(const WindowedField& windowed,
                                       const TensorValues& gradient) const {
    const std::uint64_t field = elementsOf(windowed.field);
    const std::vector<double> divisors = divisorsOf(shape_, windowed);
    TensorValues result(elementsOf(input_), 0);
    const std::vector<WindowTap> taps = tapsOf(windowed);
    for (std::uint64_t channel = 0; channel < input_[0] * input_[1]; ++channel) {
      for (const WindowTap& tap : taps) {
        result[channel * field + tap.field_element] +=
            gradient[channel * divisors.size() + tap.position] / divisors[tap.position];
      }
    }
    return result;
  }

  /// Every element that equals the maximum of a window gets its gradient, as MaxPoolingGrad of the
  /// library gives it.
  [[nodiscard]] TensorValues ofMaximum(const WindowedField& windowed,
                                       const NumberedTensors& operands) const {
    const std::uint64_t field = elementsOf(windowed.field);
    const std::uint64_t positions = elementsOf(windowed.positions());
    TensorValues result(elementsOf(input_), 0);
    const std::vector<WindowTap> taps = tapsOf(windowed);
    for (std::uint64_t channel = 0; channel < input_[0] * input_[1]; ++channel) {
      for (const WindowTap& tap : taps) {
        const std::uint64_t from = channel * field + tap.field_element;
        const std::uint64_t to = channel * positions + tap.position;
        if (operands[0].values[from] == operands[1].values[to])
          result[from] += operands[2].values[to];
      }
    }
    return result;
  }

  PoolingShape shape_;
  Shape input_;
};

class Pooling final : public Operation {
 public:
  explicit Pooling(PoolingShape shape) : shape_(std::move(shape)) {}
  [[nodiscard]] std::string kind() const override { return wordOf(shape_); }
  [[nodiscard]] std::optional<std::string> settings() const override { return settingsOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    const Shape& input = operands[0].shape;
    const Shape positions = windowedField(shape_, input).positions();
    Shape result{input[0], input[1]};
    result.insert(result.end(), positions.begin(), positions.end());
    return {{result, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(infer(operands).front(), elementsOf(shape_.window));
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    std::vector<NetworkTensorId> operands{*site.result_gradients.front()};
    if (shape_.function == PoolingFunction::Maximum) {
      operands = {site.operands[0], site.results[0], operands[0]};
    }
    return {site.graph.add(
        site.name, std::make_shared<PoolingGradient>(shape_, site.operandType(0).shape), operands)};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerPooling(shape_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const Shape& input = operands[0].type.shape;
    const WindowedField windowed = windowedField(shape_, input);
    const std::vector<double> divisors = divisorsOf(shape_, windowed);
    const std::uint64_t field = elementsOf(windowed.field);
    const bool is_maximum = shape_.function == PoolingFunction::Maximum;
    const double start = is_maximum ? kBelowAll : 0.0;
    TensorValues result(input[0] * input[1] * divisors.size(), start);
    const std::vector<WindowTap> taps = tapsOf(windowed);
    for (std::uint64_t channel = 0; channel < input[0] * input[1]; ++channel) {
      for (const WindowTap& tap : taps) {
        double& at = result[channel * divisors.size() + tap.position];
        const double value = operands[0].values[channel * field + tap.field_element];
        at = is_maximum ? std::max(at, value) : at + value / divisors[tap.position];
      }
    }
    return {std::move(result)};
  }

 private:
  PoolingShape shape_;
};

}  // namespace

std::vector<double> divisorsOf(const PoolingShape& shape, const WindowedField& windowed) {
  const std::uint64_t positions = elementsOf(windowed.positions());
  if (shape.function == PoolingFunction::AveragePadded) {
    return std::vector<double>(positions, static_cast<double>(elementsOf(windowed.window)));
  }
  std::vector<double> divisors(positions, 0);
  for (const WindowTap& tap : tapsOf(windowed)) divisors[tap.position] += 1;
  return divisors;
}

OperationPointer pooling(const PoolingShape& shape) {
  return std::make_shared<Pooling>(shape);
}

}  // namespace ipusim::workloads
