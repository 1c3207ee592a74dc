// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/networks/dag/window.h"
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

}  // namespace

NodeLoweringPointer lowerUpsample(const std::vector<std::uint64_t>& factors, NodeSite site) {
  return std::make_unique<UpsampleLowering>(factors, std::move(site));
}

NodeLoweringPointer lowerUpsampleGradient(const std::vector<std::uint64_t>& factors,
                                          NodeSite site) {
  return std::make_unique<UpsampleGradientLowering>(factors, std::move(site));
}

}  // namespace ipusim::workloads
