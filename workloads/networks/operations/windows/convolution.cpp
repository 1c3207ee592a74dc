// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/windows/convolution.h"

#include <fmt/format.h>

#include "workloads/networks/gpu/gpu_convolution.h"
#include "workloads/networks/gpu/gpu_node.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/graph/tile_sum.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/planned_products.h"
#include "workloads/networks/operations/windows/planned_convolution.h"

namespace ipusim::workloads {

namespace {

/// A convolution as the vendor's library plans it, in one of three directions.
class ConvolutionLowering final : public NodeLowering {
 public:
  ConvolutionLowering(ConvolutionNode node, NodeSite site)
      : NodeLowering(std::move(site)),
        node_(std::move(node)),
        conv_(site_.graph, site_.machine, planConv(site_.machine, problem()), site_.name) {}

  /// The kernel lies where the plan of the forward convolution wants it.
  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    if (operand != 1 || node_.direction != ConvolutionNode::Direction::Forward) return std::nullopt;
    if (!conv_.placeWeights(site_.sources)) return std::nullopt;
    return networkWeights(node_, conv_.placedWeights());
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor result = conv_.convolve(plannedOperands(node_, operands), site_.lifetime, program);
    return {networkResult(node_, result, site_.result)};
  }

 private:
  [[nodiscard]] ConvProblem problem() const {
    return plannedProblem(node_, {site_.types.front().type, site_.products, site_.is_training});
  }

  ConvolutionNode node_;
  ConvOp conv_;
};

/// Input, kernel and result of a forward convolution.
struct ConvolutionTypes {
  Shape input;
  Shape kernel;
  Shape result;
};

ConvolutionNode nodeOf(ConvolutionNode::Direction direction, const ConvolutionShape& shape,
                       const ConvolutionTypes& types) {
  return {direction,       shape,
          types.input[0],  types.input[1],
          types.kernel[0], {fieldOf(types.input), fieldOf(types.kernel), shape.motion}};
}

std::string settingsOf(const ConvolutionShape& shape) {
  return fmt::format("{} {}", shape.motion.text(), shape.groups);
}

void expectChannels(const ConvolutionShape& shape, const Shape& input, const Shape& kernel) {
  if (kernel.size() != input.size() || input[1] != kernel[1] * shape.groups ||
      kernel[0] % shape.groups != 0) {
    throw OperandError(
        fmt::format("a kernel (out channels, in channels / {}, ...) for its input, out channels a "
                    "multiple of {}",
                    shape.groups, shape.groups),
        textOf(input) + " and " + textOf(kernel));
  }
}

/// Calls `visit` with the elements of input, kernel and result of each product of a forward
/// convolution.
template <typename Visit>
void forEachProduct(const ConvolutionNode& node, const Visit& visit) {
  const std::vector<WindowTap> taps = tapsOf(node.windowed);
  const std::uint64_t field = elementsOf(node.windowed.field);
  const std::uint64_t window = elementsOf(node.windowed.window);
  const std::uint64_t positions = elementsOf(node.windowed.positions());
  const std::uint64_t ins = node.in_channels / node.shape.groups;
  const std::uint64_t outs = node.out_channels / node.shape.groups;
  for (std::uint64_t b = 0; b < node.batch; ++b) {
    for (std::uint64_t o = 0; o < node.out_channels; ++o) {
      for (std::uint64_t i = 0; i < ins; ++i) {
        const std::uint64_t input = (b * node.in_channels + o / outs * ins + i) * field;
        const std::uint64_t kernel = (o * ins + i) * window;
        const std::uint64_t result = (b * node.out_channels + o) * positions;
        for (const WindowTap& tap : taps) {
          visit(input + tap.field_element, kernel + tap.window_element, result + tap.position);
        }
      }
    }
  }
}

/// A multiply-add for each element of the kernel at each position, padding included.
Flops workOf(const ConvolutionNode& node) {
  const std::uint64_t in_group = node.in_channels / node.shape.groups;
  return Flops(elementsOf(node.windowed.positions())) * node.batch * node.out_channels * in_group *
         elementsOf(node.windowed.window) * 2;
}

/// The products of a convolution in one of its directions, added up in numbers of the type Sum.
template <typename Sum>
TensorValues productsIn(const ConvolutionNode& node, const NumberedTensors& operands,
                        std::uint64_t results) {
  std::vector<Sum> sums(results, Sum(0));
  const TensorValues& a = operands[0].values;
  const TensorValues& b = operands[1].values;
  forEachProduct(node, [&](std::uint64_t input, std::uint64_t kernel, std::uint64_t output) {
    switch (node.direction) {
      case ConvolutionNode::Direction::Forward:
        sums[output] += static_cast<Sum>(a[input] * b[kernel]);
        break;
      case ConvolutionNode::Direction::InputGradient:
        sums[input] += static_cast<Sum>(a[output] * b[kernel]);
        break;
      case ConvolutionNode::Direction::WeightGradient:
        sums[kernel] += static_cast<Sum>(a[input] * b[output]);
        break;
    }
  });
  TensorValues values(sums.size());
  std::transform(sums.begin(), sums.end(), values.begin(),
                 [](const Sum& sum) { return static_cast<double>(sum); });
  return values;
}

/// Has the convolution as a node, whichever of its three directions it computes.
class ConvolutionOperation : public Operation {
 public:
  [[nodiscard]] virtual ConvolutionNode node(const TensorTypes& operands) const = 0;
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return workOf(node(operands));
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    const ConvolutionNode found = node(site.types);
    return std::make_unique<ConvolutionLowering>(found, std::move(site));
  }
  [[nodiscard]] gpu::Operator gpuOperator(const GpuNode& site) const override {
    const gpu::Kernel kernel = gpuConvolution(node(site.operands), site.operands);
    return {"", gpu::FrameworkCall::Linear, {kernel}};
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {resultIn<double>(operands)};
  }
  /// Tiles add up floats.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return {resultIn<TileSum>(operands)};
  }

 private:
  template <typename Sum>
  [[nodiscard]] TensorValues resultIn(const NumberedTensors& operands) const {
    const TensorTypes types{operands[0].type, operands[1].type};
    return productsIn<Sum>(node(types), operands, elementsOf(infer(types).front().shape));
  }
};

class WeightGradient final : public ConvolutionOperation {
 public:
  WeightGradient(ConvolutionShape shape, Shape kernel)
      : shape_(std::move(shape)), kernel_(std::move(kernel)) {}
  [[nodiscard]] std::string kind() const override { return "conv_weight_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return settingsOf(shape_) + ' ' + textOf(kernel_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {{kernel_, operands[0].type}};
  }
  [[nodiscard]] ConvolutionNode node(const TensorTypes& operands) const override {
    return nodeOf(ConvolutionNode::Direction::WeightGradient, shape_,
                  {operands[0].shape, kernel_, operands[1].shape});
  }

 private:
  ConvolutionShape shape_;
  Shape kernel_;
};

class Transposed final : public ConvolutionOperation {
 public:
  Transposed(ConvolutionShape shape, Shape field)
      : shape_(std::move(shape)), field_(std::move(field)) {}
  [[nodiscard]] std::string kind() const override { return "conv_transpose"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return settingsOf(shape_) + ' ' + textOf(field_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    const Shape input = inputShape(operands);
    expectChannels(shape_, input, operands[1].shape);
    const Shape positions = node(operands).windowed.positions();
    if (fieldOf(operands[0].shape) != positions || operands[0].shape[1] != operands[1].shape[0]) {
      throw OperandError(
          fmt::format("{} channels and the field {}", operands[1].shape[0], textOf(positions)),
          textOf(operands[0].shape));
    }
    return {{input, operands[0].type}};
  }
  [[nodiscard]] ConvolutionNode node(const TensorTypes& operands) const override {
    return nodeOf(ConvolutionNode::Direction::InputGradient, shape_,
                  {inputShape(operands), operands[1].shape, operands[0].shape});
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const NetworkTensorId gradient = *site.result_gradients.front();
    OperandGradients gradients(2);
    if (site.wanted[0]) {
      gradients[0] =
          site.graph.add(site.name + "/input", convolution(shape_), {gradient, site.operands[1]});
    }
    if (site.wanted[1]) {
      gradients[1] =
          site.graph.add(site.name + "/weights",
                         std::make_shared<WeightGradient>(shape_, site.operandType(1).shape),
                         {gradient, site.operands[0]});
    }
    return gradients;
  }

 private:
  [[nodiscard]] Shape inputShape(const TensorTypes& operands) const {
    static_cast<void>(fieldOf(operands[0].shape));
    static_cast<void>(fieldOf(operands[1].shape));
    Shape shape{operands[0].shape[0], operands[1].shape[1] * shape_.groups};
    shape.insert(shape.end(), field_.begin(), field_.end());
    return shape;
  }

  ConvolutionShape shape_;
  Shape field_;
};

class Convolution final : public ConvolutionOperation {
 public:
  explicit Convolution(ConvolutionShape shape) : shape_(std::move(shape)) {}
  [[nodiscard]] std::string kind() const override { return "conv"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return settingsOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    const Shape& input = operands[0].shape;
    const Shape& kernel = operands[1].shape;
    static_cast<void>(fieldOf(input));
    expectChannels(shape_, input, kernel);
    Shape result{input[0], kernel[0]};
    const Shape positions = node(operands).windowed.positions();
    result.insert(result.end(), positions.begin(), positions.end());
    return {{result, operands[0].type}};
  }
  [[nodiscard]] ConvolutionNode node(const TensorTypes& operands) const override {
    return nodeOf(ConvolutionNode::Direction::Forward, shape_,
                  {operands[0].shape, operands[1].shape, {}});
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const NetworkTensorId gradient = *site.result_gradients.front();
    OperandGradients gradients(2);
    if (site.wanted[0]) {
      gradients[0] = site.graph.add(
          site.name + "/input", transposedConvolution(shape_, fieldOf(site.operandType(0).shape)),
          {gradient, site.operands[1]});
    }
    if (site.wanted[1]) {
      gradients[1] =
          site.graph.add(site.name + "/weights",
                         std::make_shared<WeightGradient>(shape_, site.operandType(1).shape),
                         {site.operands[0], gradient});
    }
    return gradients;
  }

 private:
  ConvolutionShape shape_;
};

}  // namespace

OperationPointer convolution(const ConvolutionShape& shape) {
  return std::make_shared<Convolution>(shape);
}

OperationPointer transposedConvolution(const ConvolutionShape& shape, const Shape& field) {
  return std::make_shared<Transposed>(shape, field);
}

OperationPointer convolutionWeightGradient(const ConvolutionShape& shape, const Shape& kernel) {
  return std::make_shared<WeightGradient>(shape, kernel);
}

std::optional<ConvolutionNode> convolutionOf(const Operation& operation,
                                             const TensorTypes& operands) {
  const auto* found = dynamic_cast<const ConvolutionOperation*>(&operation);
  if (found == nullptr) return std::nullopt;
  return found->node(operands);
}

}  // namespace ipusim::workloads
