// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/conv_passes.h"
#include "workloads/networks/dag/lowerings.h"

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
    const std::optional<Tensor> weights = conv_.placeWeights(Lifetime::Always);
    if (!weights) return std::nullopt;
    return networkWeights(node_, *weights);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor result = conv_.convolve(plannedOperands(node_, operands), site_.lifetime, program);
    return {networkResult(node_, result, site_.result)};
  }

 private:
  [[nodiscard]] ConvProblem problem() const {
    ConvProblem problem = convProblemOf(node_, site_.types.front().type, site_.is_training);
    problem.partials = site_.products.partials.value_or(problem.partials);
    problem.available_memory_proportion =
        site_.products.memory_proportion.value_or(problem.available_memory_proportion);
    return problem;
  }

  ConvolutionNode node_;
  ConvOp conv_;
};

}  // namespace

NodeLoweringPointer lowerConvolution(ConvolutionNode node, NodeSite site) {
  return std::make_unique<ConvolutionLowering>(std::move(node), std::move(site));
}

}  // namespace ipusim::workloads
