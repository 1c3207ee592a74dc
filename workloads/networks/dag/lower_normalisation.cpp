// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/norm/channel_norm.h"
#include "workloads/ops/norm/norm.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

NormLayout layoutOf(const NormShape& norm, const NodeSite& site) {
  const Shape& x = site.types[0].shape;
  if (norm.kind == NormKind::Layer) {
    const std::uint64_t field = elementsOf(site.types[1].shape);
    return {norm.kind, elementsOf(x) / field, 1, field, 1};
  }
  const std::uint64_t groups = norm.kind == NormKind::Group ? norm.groups : 1;
  return {norm.kind, x[0], x[1], elementsOf(x) / (x[0] * x[1]), groups};
}

class NormNodeLowering : public NodeLowering {
 public:
  NormNodeLowering(const NormShape& norm, NodeSite site)
      : NodeLowering(std::move(site)), norm_(norm) {}

 protected:
  /// Whether the norm is one over channels of a tensor that may stay where it lies.
  [[nodiscard]] bool staysInPlace(const Tensor& x) const {
    return norm_.kind == NormKind::Batch && ChannelNorm::takes(site_.graph, site_.machine, x);
  }
  [[nodiscard]] ChannelNorm channelSteps(Program& program) const {
    return {site_.graph, site_.machine, {site_.name, site_.lifetime}, program};
  }
  [[nodiscard]] NormSteps steps(Program& program) const {
    return {
        site_.graph, site_.machine, layoutOf(norm_, site_), {site_.name, site_.lifetime}, program};
  }
  /// An operand of one element per channel or statistic, as consecutive elements.
  Tensor vectorOf(const Tensor& tensor, const char* part, Program& program) {
    return consecutive(site_.graph, site_.machine, tensor.reshape({tensor.elements()}), step(part),
                       program);
  }
  [[nodiscard]] const NormShape& norm() const { return norm_; }

 private:
  NormShape norm_;
};

class NormLowering final : public NormNodeLowering {
 public:
  using NormNodeLowering::NormNodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const NormOperands of{operands[0], vectorOf(operands[1], "scale", program),
                          vectorOf(operands[2], "bias", program)};
    const NormResult result = staysInPlace(of.x) ? channelSteps(program).addNorm(of, norm().epsilon)
                                                 : steps(program).addNorm(of, norm().epsilon);
    return {result.y, result.mean, result.inverse};
  }
};

class NormGradientLowering final : public NormNodeLowering {
 public:
  using NormNodeLowering::NormNodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const NormSaved saved{operands[0], vectorOf(operands[1], "scale", program), operands[2],
                          operands[3], operands[4]};
    const NormGradients gradients = staysInPlace(saved.x)
                                        ? channelSteps(program).addGradients(saved)
                                        : steps(program).addGradients(saved);
    const Shape& scale = site_.types[1].shape;
    return {gradients.x, gradients.scale.reshape(scale), gradients.bias.reshape(scale)};
  }
};

class BatchNormInferenceLowering final : public NormNodeLowering {
 public:
  using NormNodeLowering::NormNodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const NormOperands of{operands[0], vectorOf(operands[1], "scale", program),
                          vectorOf(operands[2], "bias", program)};
    const GivenStatistics given{vectorOf(operands[3], "mean", program),
                                vectorOf(operands[4], "variance", program)};
    const ChannelFactors factors = addChannelFactors(site_.graph, site_.machine, of, given,
                                                     norm().epsilon, site_.name, program);
    if (!staysInPlace(of.x)) return {steps(program).addScaled(of.x, factors)};
    using Writes = ChannelNorm::Writes;
    const Writes writes = site_.is_last_use[0] ? Writes::Operand : Writes::NewTensor;
    return {channelSteps(program).addScaled(of.x, factors, writes)};
  }
};

}  // namespace

NodeLoweringPointer lowerNorm(const NormShape& norm, NodeSite site) {
  return std::make_unique<NormLowering>(norm, std::move(site));
}

NodeLoweringPointer lowerNormGradient(const NormShape& norm, NodeSite site) {
  return std::make_unique<NormGradientLowering>(norm, std::move(site));
}

NodeLoweringPointer lowerBatchNormInference(double epsilon, NodeSite site) {
  return std::make_unique<BatchNormInferenceLowering>(NormShape{NormKind::Batch, 1, epsilon},
                                                      std::move(site));
}

}  // namespace ipusim::workloads
