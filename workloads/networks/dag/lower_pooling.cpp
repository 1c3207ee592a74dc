// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/networks/dag/lowerings.h"
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
      if (std::max(motion.padding_lower[d], motion.padding_upper[d]) > reach) {
        throw notLowered("a padding as large as the window");
      }
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

}  // namespace

NodeLoweringPointer lowerPooling(const PoolingShape& pooling, NodeSite site) {
  const Shape input = site.types.front().shape;
  return std::make_unique<PoolingLowering>(pooling, input, std::move(site));
}

NodeLoweringPointer lowerPoolingGradient(const PoolingShape& pooling, const Shape& input,
                                         NodeSite site) {
  return std::make_unique<PoolingGradientLowering>(pooling, input, std::move(site));
}

}  // namespace ipusim::workloads
