// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/softmax/softmax.h"

namespace ipusim::workloads {

namespace {

/// A tensor seen as rows along one of its dimensions.
class RowsAlong {
 public:
  RowsAlong(const Shape& shape, std::size_t axis) {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (d != axis) order_.push_back(d);
    }
    order_.push_back(axis);
    for (const std::size_t d : order_) shuffled_.push_back(shape[d]);
    back_.resize(order_.size());
    for (std::size_t d = 0; d < order_.size(); ++d) back_[order_[d]] = d;
  }

  [[nodiscard]] Tensor rows(const Tensor& tensor) const {
    const std::uint64_t columns = shuffled_.back();
    return tensor.dimShuffle(order_).reshape({tensor.elements() / columns, columns});
  }
  [[nodiscard]] Tensor tensorOf(const Tensor& rows) const {
    return rows.reshape(shuffled_).dimShuffle(back_);
  }

 private:
  std::vector<std::size_t> order_;
  std::vector<std::size_t> back_;
  Shape shuffled_;
};

class SoftmaxLowering final : public NodeLowering {
 public:
  SoftmaxLowering(SoftmaxForm form, std::size_t axis, NodeSite site)
      : NodeLowering(std::move(site)), form_(form), along_(site_.result, axis) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    return {
        along_.tensorOf(addSoftmax(site_.graph, site_.machine, {form_, along_.rows(operands[0])},
                                   {site_.name, site_.lifetime}, program))};
  }

 private:
  SoftmaxForm form_;
  RowsAlong along_;
};

class SoftmaxGradientLowering final : public NodeLowering {
 public:
  SoftmaxGradientLowering(SoftmaxForm form, std::size_t axis, NodeSite site)
      : NodeLowering(std::move(site)), form_(form), along_(site_.result, axis) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    return {along_.tensorOf(addSoftmaxGradient(
        site_.graph, site_.machine, {form_, along_.rows(operands[0]), along_.rows(operands[1])},
        {site_.name, site_.lifetime}, program))};
  }

 private:
  SoftmaxForm form_;
  RowsAlong along_;
};

}  // namespace

NodeLoweringPointer lowerSoftmax(SoftmaxForm form, std::size_t axis, NodeSite site) {
  return std::make_unique<SoftmaxLowering>(form, axis, std::move(site));
}

NodeLoweringPointer lowerSoftmaxGradient(SoftmaxForm form, std::size_t axis, NodeSite site) {
  return std::make_unique<SoftmaxGradientLowering>(form, axis, std::move(site));
}

}  // namespace ipusim::workloads
