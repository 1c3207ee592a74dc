// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/normalisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/networks/dag/network_graph.h"
#include "workloads/networks/dag/node_lowering.h"
#include "workloads/networks/dag/tile_sum.h"
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

/// Which statistic and which element of the scale an element of x belongs to.
class NormIndex {
 public:
  NormIndex(const NormShape& norm, const Shape& x, const Shape& scale) : kind_(norm.kind) {
    if (kind_ == NormKind::Layer) {
      initLayer(x, scale);
      return;
    }
    if (x.size() < 2 || scale != Shape{x[1]}) {
      throw OperandError("a scale and a bias of one element per channel",
                         textOf(x) + " and " + textOf(scale));
    }
    channels_ = x[1];
    inner_ = elementsOf(x) / (x[0] * x[1]);
    if (norm.groups == 0 || channels_ % norm.groups != 0) {
      throw OperandError(fmt::format("channels that {} groups share evenly", norm.groups),
                         fmt::format("{}", channels_));
    }
    group_ = channels_ / norm.groups;
    statistics_ = kind_ == NormKind::Batch ? channels_ : x[0] * norm.groups;
  }

  [[nodiscard]] std::uint64_t statistics() const { return statistics_; }
  [[nodiscard]] std::uint64_t scaleOf(std::uint64_t element) const {
    return kind_ == NormKind::Layer ? element % inner_ : element / inner_ % channels_;
  }
  [[nodiscard]] std::uint64_t statisticOf(std::uint64_t element) const {
    switch (kind_) {
      case NormKind::Batch:
        return element / inner_ % channels_;
      case NormKind::Group:
        return element / inner_ / group_;
      case NormKind::Layer:
        break;
    }
    return element / inner_;
  }

 private:
  void initLayer(const Shape& x, const Shape& scale) {
    const bool is_tail =
        !scale.empty() && scale.size() <= x.size() &&
        Shape(x.end() - static_cast<std::ptrdiff_t>(scale.size()), x.end()) == scale;
    if (!is_tail) {
      throw OperandError("a scale and a bias with the last dimensions of x",
                         textOf(x) + " and " + textOf(scale));
    }
    inner_ = elementsOf(scale);
    statistics_ = elementsOf(x) / inner_;
  }

  NormKind kind_;
  std::uint64_t inner_ = 1;  ///< elements of a channel of a sample, or of what is normalised
  std::uint64_t channels_ = 1;
  std::uint64_t group_ = 1;  ///< channels that share statistics
  std::uint64_t statistics_ = 1;
};

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
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return gradientsIn<double>(operands);
  }
  /// Tiles add up floats.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return gradientsIn<TileSum>(operands);
  }

 private:
  template <typename Sum>
  [[nodiscard]] std::vector<TensorValues> gradientsIn(const NumberedTensors& operands) const {
    const NormIndex index(shape_, operands[0].type.shape, operands[1].type.shape);
    const TensorValues& x = operands[0].values;
    const TensorValues& dy = operands[4].values;
    const auto normalised = [&](std::size_t e) {
      const std::uint64_t s = index.statisticOf(e);
      return (x[e] - operands[2].values[s]) * operands[3].values[s];
    };
    const auto scaled = [&](std::size_t e) { return dy[e] * operands[1].values[index.scaleOf(e)]; };
    std::vector<Sum> dscale(operands[1].values.size(), Sum(0));
    std::vector<Sum> dbias = dscale;
    std::vector<Sum> sums(index.statistics(), Sum(0));
    std::vector<Sum> products = sums;
    for (std::size_t e = 0; e < x.size(); ++e) {
      dscale[index.scaleOf(e)] += static_cast<Sum>(dy[e] * normalised(e));
      dbias[index.scaleOf(e)] += static_cast<Sum>(dy[e]);
      sums[index.statisticOf(e)] += static_cast<Sum>(scaled(e));
      products[index.statisticOf(e)] += static_cast<Sum>(scaled(e) * normalised(e));
    }
    const double count = static_cast<double>(x.size()) / static_cast<double>(index.statistics());
    TensorValues dx(x.size());
    for (std::size_t e = 0; e < x.size(); ++e) {
      const std::uint64_t s = index.statisticOf(e);
      dx[e] = operands[3].values[s] * (scaled(e) - static_cast<double>(sums[s]) / count -
                                       normalised(e) * static_cast<double>(products[s]) / count);
    }
    return {std::move(dx), {dscale.begin(), dscale.end()}, {dbias.begin(), dbias.end()}};
  }

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
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const NormIndex index(shape_, operands[0].type.shape, operands[1].type.shape);
    const TensorValues& x = operands[0].values;
    TensorValues mean = meansIn<double>(index, x);
    TensorValues variance(mean.size(), 0);
    const double count = countOf(index, x);
    for (std::size_t e = 0; e < x.size(); ++e) {
      const double difference = x[e] - mean[index.statisticOf(e)];
      variance[index.statisticOf(e)] += difference * difference / count;
    }
    return normalised(operands, index, std::move(mean), std::move(variance));
  }
  /// Tiles have the variance as the difference of two floats: the mean of squares and the square of
  /// the mean.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    const NormIndex index(shape_, operands[0].type.shape, operands[1].type.shape);
    TensorValues squares = operands[0].values;
    for (double& value : squares) value *= value;
    TensorValues mean = meansIn<TileSum>(index, operands[0].values);
    TensorValues variance = meansIn<TileSum>(index, squares);
    for (std::size_t s = 0; s < mean.size(); ++s) {
      mean[s] = static_cast<double>(static_cast<float>(mean[s]));
      const auto power = static_cast<float>(variance[s]);
      variance[s] = std::max(0.0, static_cast<double>(power) - mean[s] * mean[s]);
    }
    return normalised(operands, index, std::move(mean), std::move(variance));
  }

 private:
  static double countOf(const NormIndex& index, const TensorValues& x) {
    return static_cast<double>(x.size()) / static_cast<double>(index.statistics());
  }
  template <typename Sum>
  static TensorValues meansIn(const NormIndex& index, const TensorValues& x) {
    std::vector<Sum> sums(index.statistics(), Sum(0));
    for (std::size_t e = 0; e < x.size(); ++e) {
      sums[index.statisticOf(e)] += static_cast<Sum>(x[e]);
    }
    TensorValues means(sums.size());
    std::transform(sums.begin(), sums.end(), means.begin(),
                   [&](const Sum& sum) { return static_cast<double>(sum) / countOf(index, x); });
    return means;
  }

  /// (y, mean, 1 / deviation)
  [[nodiscard]] std::vector<TensorValues> normalised(const NumberedTensors& operands,
                                                     const NormIndex& index, TensorValues mean,
                                                     TensorValues variance) const {
    TensorValues inverse = std::move(variance);
    for (double& value : inverse) value = 1 / std::sqrt(value + shape_.epsilon);
    TensorValues y = operands[0].values;
    for (std::size_t e = 0; e < y.size(); ++e) {
      const std::uint64_t s = index.statisticOf(e);
      const std::uint64_t of_scale = index.scaleOf(e);
      y[e] = (y[e] - mean[s]) * inverse[s] * operands[1].values[of_scale] +
             operands[2].values[of_scale];
    }
    return {std::move(y), std::move(mean), std::move(inverse)};
  }

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
