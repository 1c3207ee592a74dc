// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/shaping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/view_lowering.h"

namespace ipusim::workloads {

namespace {

class Reshape final : public Operation {
 public:
  explicit Reshape(Shape shape) : shape_(std::move(shape)) {}
  [[nodiscard]] std::string kind() const override { return "reshape"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return textOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    if (elementsOf(operands[0].shape) != elementsOf(shape_)) {
      throw OperandError("as many elements as " + textOf(shape_), textOf(operands[0].shape));
    }
    return {{shape_, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] bool isView() const override { return true; }
  [[nodiscard]] bool isFreeOnGpu() const override { return true; }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, reshape(site.operandType(0).shape),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerView(
        [shape = shape_](const std::vector<Tensor>& operands) {
          return operands.front().reshape(shape);
        },
        std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {operands[0].values};
  }

 private:
  Shape shape_;
};

class Transpose final : public Operation {
 public:
  explicit Transpose(std::vector<std::size_t> order) : order_(std::move(order)) {}
  [[nodiscard]] std::string kind() const override { return "transpose"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", fmt::join(order_, " "));
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    const Shape& shape = operands[0].shape;
    std::vector<std::size_t> sorted = order_;
    std::sort(sorted.begin(), sorted.end());
    bool is_order = sorted.size() == shape.size();
    for (std::size_t d = 0; is_order && d < sorted.size(); ++d) is_order = sorted[d] == d;
    if (!is_order) {
      throw OperandError(fmt::format("a shape whose {} dimensions the order names", order_.size()),
                         textOf(shape));
    }
    Shape result;
    for (const std::size_t d : order_) result.push_back(shape[d]);
    return {{result, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    std::vector<std::size_t> back(order_.size());
    for (std::size_t d = 0; d < order_.size(); ++d) back[order_[d]] = d;
    return {site.graph.add(site.name, transpose(back), {*site.result_gradients.front()})};
  }
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] bool isFreeOnGpu() const override { return true; }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerView(
        [order = order_](const std::vector<Tensor>& operands) {
          return operands.front().dimShuffle(order);
        },
        std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const Shape result_shape = infer({operands[0].type}).front().shape;
    const std::vector<std::uint64_t> strides = stridesOf(operands[0].type.shape);
    TensorValues result(operands[0].values.size());
    for (std::uint64_t e = 0; e < result.size(); ++e) {
      const std::vector<std::uint64_t> at = coordinatesOf(result_shape, e);
      std::uint64_t source = 0;
      for (std::size_t d = 0; d < at.size(); ++d) source += at[d] * strides[order_[d]];
      result[e] = operands[0].values[source];
    }
    return {std::move(result)};
  }

 private:
  std::vector<std::size_t> order_;
};

class Slice final : public Operation {
 public:
  explicit Slice(const AxisRange& range) : range_(range) {}
  [[nodiscard]] std::string kind() const override { return "slice"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {} {}", range_.axis, range_.begin, range_.end);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    Shape shape = operands[0].shape;
    expectAxis(shape, range_.axis);
    if (range_.begin >= range_.end || range_.end > shape[range_.axis]) {
      throw OperandError(fmt::format("at least {} elements in dimension {}, of which [{}, {}) are "
                                     "taken",
                                     range_.end, range_.axis, range_.begin, range_.end),
                         textOf(shape));
    }
    shape[range_.axis] = range_.end - range_.begin;
    return {{shape, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const std::uint64_t size = site.operandType(0).shape[range_.axis];
    return {site.graph.add(site.name, zeroPad({range_.axis, range_.begin, size - range_.end}),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] bool isFreeOnGpu() const override { return true; }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerView(
        [range = range_](const std::vector<Tensor>& operands) {
          return operands.front().slice(range.begin, range.end, range.axis);
        },
        std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const AxisView view = viewAround(operands[0].type.shape, range_.axis);
    TensorValues result;
    for (std::uint64_t o = 0; o < view.outer; ++o) {
      const auto from = operands[0].values.begin();
      result.insert(result.end(), from + static_cast<std::ptrdiff_t>(view.at(o, range_.begin, 0)),
                    from + static_cast<std::ptrdiff_t>(view.at(o, range_.end, 0)));
    }
    return {std::move(result)};
  }

 private:
  AxisRange range_;
};

class Concat final : public Operation {
 public:
  explicit Concat(std::size_t axis) : axis_(axis) {}
  [[nodiscard]] std::string kind() const override { return "concat"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", axis_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    if (operands.empty()) throw OperandError("at least one operand", "none");
    expectOneType(operands, 0, operands.size());
    Shape shape = operands[0].shape;
    expectAxis(shape, axis_);
    shape[axis_] = 0;
    for (const TensorType& operand : operands) {
      Shape other = operand.shape;
      expectAxis(other, axis_);
      shape[axis_] += other[axis_];
      other[axis_] = shape[axis_];
      if (other != shape) {
        throw OperandError(fmt::format("shapes that differ in dimension {} alone", axis_),
                           textOf(operands[0].shape) + " and " + textOf(operand.shape));
      }
    }
    return {{shape, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    OperandGradients gradients(site.operands.size());
    std::uint64_t begin = 0;
    for (std::size_t operand = 0; operand < gradients.size(); ++operand) {
      const std::uint64_t end = begin + site.operandType(operand).shape[axis_];
      if (site.wanted[operand]) {
        gradients[operand] =
            site.graph.add(fmt::format("{}/{}", site.name, operand), slice({axis_, begin, end}),
                           {*site.result_gradients.front()});
      }
      begin = end;
    }
    return gradients;
  }
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerView(
        [axis = axis_](const std::vector<Tensor>& operands) {
          return ipusim::concat(operands, axis);
        },
        std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result;
    const std::uint64_t outer = viewAround(operands[0].type.shape, axis_).outer;
    for (std::uint64_t o = 0; o < outer; ++o) {
      for (const NumberedTensor& operand : operands) {
        const AxisView view = viewAround(operand.type.shape, axis_);
        const auto from = operand.values.begin();
        result.insert(result.end(), from + static_cast<std::ptrdiff_t>(view.at(o, 0, 0)),
                      from + static_cast<std::ptrdiff_t>(view.at(o + 1, 0, 0)));
      }
    }
    return {std::move(result)};
  }

 private:
  std::size_t axis_;
};

class RowMajor final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "row_major"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerRowMajor(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {operands[0].values};
  }
};

}  // namespace

OperationPointer rowMajor() {
  return std::make_shared<RowMajor>();
}

OperationPointer reshape(const Shape& shape) {
  return std::make_shared<Reshape>(shape);
}

OperationPointer transpose(const std::vector<std::size_t>& order) {
  return std::make_shared<Transpose>(order);
}

OperationPointer concat(std::size_t axis) {
  return std::make_shared<Concat>(axis);
}

OperationPointer slice(const AxisRange& range) {
  return std::make_shared<Slice>(range);
}

}  // namespace ipusim::workloads
