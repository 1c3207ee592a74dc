// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/windows/window.h"
#include "workloads/ops/pooling/pooling.h"

namespace ipusim::workloads {

namespace {

/// A copy that repeats elements.
class UpsampleLowering final : public NodeLowering {
 public:
  UpsampleLowering(std::vector<std::uint64_t> factors, NodeSite site)
      : NodeLowering(std::move(site)), factors_(std::move(factors)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor& x = operands.front();
    Shape apart{x.shape()[0], x.shape()[1]};
    Shape repeated = apart;
    for (std::size_t d = 0; d < factors_.size(); ++d) {
      const std::uint64_t size = x.shape()[d + 2];
      apart.insert(apart.end(), {size, 1});
      repeated.insert(repeated.end(), {size, factors_[d]});
    }
    Tensor view = x.reshape(apart);
    for (std::size_t d = 0; d < factors_.size(); ++d) {
      view = view.broadcast(factors_[d], 3 + 2 * d);
    }
    Tensor y = site_.graph.addVariable(x.type(), site_.result, site_.name, site_.lifetime);
    site_.graph.mapLinearly(y, site_.machine);
    program.add(site_.graph.copy(view, y.reshape(repeated), step("Copy")));
    return {y};
  }

 private:
  std::vector<std::uint64_t> factors_;
};

/// The sums of windows that do not overlap.
class UpsampleGradientLowering final : public NodeLowering {
 public:
  UpsampleGradientLowering(std::vector<std::uint64_t> factors, NodeSite site)
      : NodeLowering(std::move(site)), factors_(std::move(factors)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor& gradient = operands.front();
    const Shape& shape = gradient.shape();
    const WindowMotion motion = WindowMotion::plain(factors_.size());
    const PoolWindow window{
        shape[0], shape[1], gradient.type(),      fieldOf(shape), fieldOf(site_.result),
        factors_, factors_, motion.padding_lower, motion.dilation};
    PoolingSteps steps(site_.graph, site_.machine, window, {site_.name, site_.lifetime}, program);
    return {steps.addSum(gradient, PoolingDirection::Forward, 1)};
  }

 private:
  std::vector<std::uint64_t> factors_;
};

Shape upsampledShape(const Shape& shape, const std::vector<std::uint64_t>& factors) {
  if (fieldOf(shape).size() != factors.size()) {
    throw OperandError(fmt::format("a field of {} dimensions", factors.size()), textOf(shape));
  }
  Shape result = shape;
  for (std::size_t d = 0; d < factors.size(); ++d) result[d + 2] *= factors[d];
  return result;
}

/// For each element of the larger field, the element that it repeats.
std::vector<std::uint64_t> repeatedElements(const Shape& shape,
                                            const std::vector<std::uint64_t>& factors) {
  const Shape larger = upsampledShape(shape, factors);
  std::vector<std::uint64_t> sources(elementsOf(larger));
  for (std::uint64_t e = 0; e < sources.size(); ++e) {
    std::vector<std::uint64_t> at = coordinatesOf(larger, e);
    for (std::size_t d = 0; d < factors.size(); ++d) at[d + 2] /= factors[d];
    sources[e] = elementAt(shape, at);
  }
  return sources;
}

/// The sums of the gradients of all copies of an element.
class UpsampleGradient final : public Operation {
 public:
  UpsampleGradient(Shape shape, std::vector<std::uint64_t> factors)
      : shape_(std::move(shape)), factors_(std::move(factors)) {}
  [[nodiscard]] std::string kind() const override { return "upsample_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {}", fmt::join(factors_, " "), textOf(shape_));
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return {{shape_, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<UpsampleGradientLowering>(factors_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const std::vector<std::uint64_t> sources = repeatedElements(shape_, factors_);
    TensorValues result(elementsOf(shape_), 0);
    for (std::size_t e = 0; e < sources.size(); ++e) result[sources[e]] += operands[0].values[e];
    return {std::move(result)};
  }

 private:
  Shape shape_;
  std::vector<std::uint64_t> factors_;
};

class Upsample final : public Operation {
 public:
  explicit Upsample(std::vector<std::uint64_t> factors) : factors_(std::move(factors)) {}
  [[nodiscard]] std::string kind() const override { return "upsample"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", fmt::join(factors_, " "));
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return {{upsampledShape(operands[0].shape, factors_), operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name,
                           std::make_shared<UpsampleGradient>(site.operandType(0).shape, factors_),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<UpsampleLowering>(factors_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result;
    for (const std::uint64_t source : repeatedElements(operands[0].type.shape, factors_)) {
      result.push_back(operands[0].values[source]);
    }
    return {std::move(result)};
  }

 private:
  std::vector<std::uint64_t> factors_;
};

}  // namespace

OperationPointer upsample(const std::vector<std::uint64_t>& factors) {
  return std::make_shared<Upsample>(factors);
}

}  // namespace ipusim::workloads
