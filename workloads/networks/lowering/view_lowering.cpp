// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/lowering/view_lowering.h"

namespace ipusim::workloads {

namespace {

class ViewLowering final : public NodeLowering {
 public:
  ViewLowering(MakeView make, NodeSite site)
      : NodeLowering(std::move(site)), make_(std::move(make)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& /*program*/) override {
    return {make_(operands)};
  }

 private:
  MakeView make_;
};

class RowMajorLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Tensor copy = site_.graph.addVariable(operands.front().type(), site_.result, step("row_major"),
                                          site_.lifetime);
    site_.graph.mapLinearly(copy, site_.machine);
    program.add(site_.graph.copy(operands.front(), copy, step("row_major")));
    return {copy};
  }
};

}  // namespace

NodeLoweringPointer lowerRowMajor(NodeSite site) {
  return std::make_unique<RowMajorLowering>(std::move(site));
}

NodeLoweringPointer lowerView(MakeView make, NodeSite site) {
  return std::make_unique<ViewLowering>(std::move(make), std::move(site));
}

Tensor broadcastView(const Tensor& tensor, const Shape& shape) {
  Shape padded(shape.size() - tensor.shape().size(), 1);
  padded.insert(padded.end(), tensor.shape().begin(), tensor.shape().end());
  Tensor view = tensor.reshape(padded);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (padded[d] != shape[d]) view = view.broadcast(shape[d], d);
  }
  return view;
}

}  // namespace ipusim::workloads
