// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/rows/softmax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/ops/numbers.h"
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

// Largest, subtract, exponent, sum, divide.
constexpr std::uint64_t kFlopsOfSoftmax = 5;
constexpr std::uint64_t kSoftmaxGradientFlops = 4;

/// dx from (y, dy).
class SoftmaxGradient final : public Operation {
 public:
  SoftmaxGradient(SoftmaxForm form, std::size_t axis) : form_(form), axis_(axis) {}
  [[nodiscard]] std::string kind() const override {
    return form_ == SoftmaxForm::Plain ? "softmax_gradient" : "log_softmax_gradient";
  }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", axis_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {operands[1]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kSoftmaxGradientFlops);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<SoftmaxGradientLowering>(form_, axis_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const AxisView view = viewAround(operands[0].type.shape, axis_);
    TensorValues dx(operands[0].values.size());
    for (std::uint64_t o = 0; o < view.outer; ++o) {
      for (std::uint64_t i = 0; i < view.inner; ++i) {
        computeRow(
            operands, [&](std::uint64_t s) { return view.at(o, s, i); }, view.size, dx);
      }
    }
    return {std::move(dx)};
  }

 private:
  /// Fills one row of `dx`, whose element s is at `place(s)`.
  template <typename Place>
  void computeRow(const NumberedTensors& operands, const Place& place, std::uint64_t size,
                  TensorValues& dx) const {
    const TensorValues& y = operands[0].values;
    const TensorValues& dy = operands[1].values;
    const bool is_plain = form_ == SoftmaxForm::Plain;
    double sum = 0;
    for (std::uint64_t s = 0; s < size; ++s) {
      const std::uint64_t at = place(s);
      sum += is_plain ? dy[at] * y[at] : dy[at];
    }
    for (std::uint64_t s = 0; s < size; ++s) {
      const std::uint64_t at = place(s);
      dx[at] = is_plain ? y[at] * (dy[at] - sum) : dy[at] - std::exp(y[at]) * sum;
    }
  }

  SoftmaxForm form_;
  std::size_t axis_;
};

class Softmax final : public Operation {
 public:
  Softmax(SoftmaxForm form, std::size_t axis) : form_(form), axis_(axis) {}
  [[nodiscard]] std::string kind() const override {
    return form_ == SoftmaxForm::Plain ? "softmax" : "log_softmax";
  }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", axis_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    expectAxis(operands[0].shape, axis_);
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kFlopsOfSoftmax);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, std::make_shared<SoftmaxGradient>(form_, axis_),
                           {site.results[0], *site.result_gradients.front()})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<SoftmaxLowering>(form_, axis_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues y = logSoftmaxOf(operands[0].values, viewAround(operands[0].type.shape, axis_));
    if (form_ == SoftmaxForm::Plain) {
      for (double& value : y) value = std::exp(value);
    }
    return {std::move(y)};
  }

 private:
  SoftmaxForm form_;
  std::size_t axis_;
};

}  // namespace

TensorValues logSoftmaxOf(const TensorValues& x, const AxisView& view) {
  TensorValues y(x.size());
  for (std::uint64_t o = 0; o < view.outer; ++o) {
    for (std::uint64_t i = 0; i < view.inner; ++i) {
      double largest = -std::numeric_limits<double>::infinity();
      for (std::uint64_t s = 0; s < view.size; ++s)
        largest = std::max(largest, x[view.at(o, s, i)]);
      double sum = 0;
      for (std::uint64_t s = 0; s < view.size; ++s) sum += std::exp(x[view.at(o, s, i)] - largest);
      for (std::uint64_t s = 0; s < view.size; ++s) {
        y[view.at(o, s, i)] = x[view.at(o, s, i)] - largest - std::log(sum);
      }
    }
  }
  return y;
}

OperationPointer softmax(std::size_t axis) {
  return std::make_shared<Softmax>(SoftmaxForm::Plain, axis);
}

OperationPointer logSoftmax(std::size_t axis) {
  return std::make_shared<Softmax>(SoftmaxForm::Logarithm, axis);
}

}  // namespace ipusim::workloads
