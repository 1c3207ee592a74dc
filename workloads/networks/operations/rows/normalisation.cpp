// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/rows/normalisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/networks/gpu/gpu_node.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/graph/tile_sum.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/rows/norm_numbers.h"
#include "workloads/ops/norm/channel_norm.h"
#include "workloads/ops/norm/distributed_norm.h"
#include "workloads/ops/norm/norm.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/rows/distributed_rows.h"

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
    const NormResult result = addNorm(of, program);
    return {result.y, result.mean, result.inverse};
  }

 private:
  NormResult addNorm(const NormOperands& of, Program& program) {
    if (staysInPlace(of.x)) return channelSteps(program).addNorm(of, norm().epsilon);
    const std::uint64_t field = of.scale.elements();
    const Tensor rows = of.x.reshape({of.x.elements() / field, field});
    if (norm().kind != NormKind::Layer || !DistributedRows::takes(site_.graph, rows)) {
      return steps(program).addNorm(of, norm().epsilon);
    }
    NormResult result = addDistributedNorm(site_.graph, site_.machine, {rows, of.scale, of.bias},
                                           norm().epsilon, {site_.name, site_.lifetime}, program);
    result.y = result.y.reshape(of.x.shape());
    return result;
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

NodeLoweringPointer lowerBatchNormInference(double epsilon, NodeSite site) {
  return std::make_unique<BatchNormInferenceLowering>(NormShape{NormKind::Batch, 1, epsilon},
                                                      std::move(site));
}

// Subtract, divide, scale and add; and sum, square and add for the statistics.
constexpr std::uint64_t kFlopsWithStatistics = 7;
constexpr std::uint64_t kFlopsWithoutStatistics = 4;
// Two normalised products and two sums, and four operations that put them together.
constexpr std::uint64_t kNormGradientFlops = 10;

std::string settingsOf(const NormShape& shape) {
  return fmt::format("{} {} {}", static_cast<int>(shape.kind), shape.groups, shape.epsilon);
}

/// (dx, dscale, dbias) from (x, scale, mean, 1 / deviation, dy).
class NormGradient final : public Operation {
 public:
  explicit NormGradient(const NormShape& shape) : shape_(shape) {}
  [[nodiscard]] std::string kind() const override { return "norm_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return settingsOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 5);
    return {operands[0], operands[1], operands[1]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kNormGradientFlops);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<NormGradientLowering>(shape_, std::move(site));
  }
  [[nodiscard]] gpu::Operator gpuOperator(const GpuNode& node) const override {
    return gpuNorm(node);
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return normGradients<double>(shape_, operands, AsIs());
  }
  /// Tiles add up floats, and round what they keep to the type of the elements.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return normGradients<TileSum>(shape_, operands, ToType{operands[0].type.type});
  }
  [[nodiscard]] std::vector<TensorValues> computeProbed(const NumberedTensors& operands,
                                                        RoundingProbe& probe) const override {
    return normGradients<TileSum>(shape_, operands, ByProbe{probe, operands[0].type.type});
  }
  /// A gradient is what is left of that of the result when the parts along the mean and along the
  /// result are taken out of it.
  [[nodiscard]] bool mayCancel() const override { return true; }

 private:
  NormShape shape_;
};

class Normalisation final : public Operation {
 public:
  explicit Normalisation(const NormShape& shape) : shape_(shape) {}
  [[nodiscard]] std::string kind() const override {
    switch (shape_.kind) {
      case NormKind::Batch:
        return "batch_norm";
      case NormKind::Group:
        return "group_norm";
      case NormKind::Layer:
        break;
    }
    return "layer_norm";
  }
  [[nodiscard]] std::optional<std::string> settings() const override { return settingsOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 3);
    const NormIndex index(shape_, operands[0].shape, operands[1].shape);
    if (operands[2].shape != operands[1].shape) {
      throw OperandError("a bias of the shape " + textOf(operands[1].shape),
                         textOf(operands[2].shape));
    }
    const TensorType statistic{{index.statistics()}, ElementType::Float};
    return {operands[0], statistic, statistic};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kFlopsWithStatistics);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const std::vector<NetworkTensorId> gradients =
        site.graph.addNode(site.name, std::make_shared<NormGradient>(shape_),
                           {site.operands[0], site.operands[1], site.results[1], site.results[2],
                            *site.result_gradients.front()});
    return {gradients[0], gradients[1], gradients[2]};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<NormLowering>(shape_, std::move(site));
  }
  [[nodiscard]] gpu::Operator gpuOperator(const GpuNode& node) const override {
    return gpuNorm(node);
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return normOfExact(shape_, operands);
  }
  /// Tiles have the variance as the difference of two floats: the mean of squares and the square of
  /// the mean.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return normOfFloats(shape_, operands, ToType{ElementType::Float},
                        ToType{operands[0].type.type});
  }
  [[nodiscard]] std::vector<TensorValues> computeProbed(const NumberedTensors& operands,
                                                        RoundingProbe& probe) const override {
    return normOfFloats(shape_, operands, ByProbe{probe, ElementType::Float},
                        ByProbe{probe, operands[0].type.type});
  }

 private:
  NormShape shape_;
};

class BatchNormInference final : public Operation {
 public:
  explicit BatchNormInference(double epsilon) : epsilon_(epsilon) {}
  [[nodiscard]] std::string kind() const override { return "batch_norm_inference"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", epsilon_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 5);
    static_cast<void>(NormIndex({NormKind::Batch}, operands[0].shape, operands[1].shape));
    for (std::size_t o = 2; o < operands.size(); ++o) {
      if (operands[o].shape == operands[1].shape) continue;
      throw OperandError(textOf(operands[1].shape) + " as the scale", textOf(operands[o].shape));
    }
    return {operands[0]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kFlopsWithoutStatistics);
  }
  [[nodiscard]] bool isNeverNegative(std::size_t operand) const override {
    constexpr std::size_t kVariance = 4;
    return operand == kVariance;
  }
  [[nodiscard]] bool mayOverwrite() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerBatchNormInference(epsilon_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const NormIndex index({NormKind::Batch}, operands[0].type.shape, operands[1].type.shape);
    TensorValues y = operands[0].values;
    for (std::size_t e = 0; e < y.size(); ++e) {
      const std::uint64_t c = index.scaleOf(e);
      y[e] = (y[e] - operands[3].values[c]) / std::sqrt(operands[4].values[c] + epsilon_) *
                 operands[1].values[c] +
             operands[2].values[c];
    }
    return {std::move(y)};
  }

 private:
  double epsilon_;
};

}  // namespace

OperationPointer normalisation(const NormShape& shape) {
  return std::make_shared<Normalisation>(shape);
}

OperationPointer batchNormInference(double epsilon) {
  return std::make_shared<BatchNormInference>(epsilon);
}

}  // namespace ipusim::workloads
