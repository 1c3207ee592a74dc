// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/softmax/softmax.h"

namespace ipusim::workloads {

namespace {

Tensor rowsOf(const Tensor& tensor) {
  const std::uint64_t columns = tensor.shape().back();
  return tensor.reshape({tensor.elements() / columns, columns});
}

class SoftmaxLowering final : public NodeLowering {
 public:
  SoftmaxLowering(SoftmaxForm form, NodeSite site) : NodeLowering(std::move(site)), form_(form) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor y = addSoftmax(site_.graph, site_.machine, {form_, rowsOf(operands[0])},
                                {site_.name, site_.lifetime}, program);
    return {y.reshape(site_.result)};
  }

 private:
  SoftmaxForm form_;
};

class SoftmaxGradientLowering final : public NodeLowering {
 public:
  SoftmaxGradientLowering(SoftmaxForm form, NodeSite site)
      : NodeLowering(std::move(site)), form_(form) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor dx = addSoftmaxGradient(site_.graph, site_.machine,
                                         {form_, rowsOf(operands[0]), rowsOf(operands[1])},
                                         {site_.name, site_.lifetime}, program);
    return {dx.reshape(site_.result)};
  }

 private:
  SoftmaxForm form_;
};

void expectLastAxis(std::size_t axis, const NodeSite& site) {
  if (axis + 1 == site.types.front().shape.size()) return;
  throw NotLowered(site.name + ": a softmax along another dimension than the last one has no " +
                   "steps for tiles");
}

}  // namespace

NodeLoweringPointer lowerSoftmax(SoftmaxForm form, std::size_t axis, NodeSite site) {
  expectLastAxis(axis, site);
  return std::make_unique<SoftmaxLowering>(form, std::move(site));
}

NodeLoweringPointer lowerSoftmaxGradient(SoftmaxForm form, std::size_t axis, NodeSite site) {
  expectLastAxis(axis, site);
  return std::make_unique<SoftmaxGradientLowering>(form, std::move(site));
}

}  // namespace ipusim::workloads
