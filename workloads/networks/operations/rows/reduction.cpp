// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/rows/reduction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/graph/tile_sum.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/view_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

models::ReduceOp reduceOpOf(ReductionFunction function) {
  switch (function) {
    case ReductionFunction::Maximum:
      return models::ReduceOp::Maximum;
    case ReductionFunction::Minimum:
      return models::ReduceOp::Minimum;
    default:
      return models::ReduceOp::Add;
  }
}

/// `kept` is the shape of the result with reduced dimensions of 1.
class ReductionLowering final : public NodeLowering {
 public:
  ReductionLowering(ReductionFunction function, Shape kept, NodeSite site)
      : NodeLowering(std::move(site)), function_(function), kept_(std::move(kept)) {
    const Shape& shape = site_.types.front().shape;
    kept_.insert(kept_.begin(), shape.size() - kept_.size(), 1);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor rows =
        consecutive(graph, site_.machine, rowsOf(operands.front()), step("rows"), program);
    const Tensor reduced = reduceRows(graph, site_.machine, {reduceOpOf(function_), rows},
                                      {site_.name, site_.lifetime}, program);
    if (function_ == ReductionFunction::Mean) {
      Elementwise(graph, site_.machine, program)
          .scaleInPlace(reduced, 1 / static_cast<double>(rows.shape()[0]), step("mean"));
    }
    return {reduced.reshape(site_.result)};
  }

 private:
  /// (elements that are summed, sums).
  [[nodiscard]] Tensor rowsOf(const Tensor& tensor) const {
    std::vector<std::size_t> order;
    std::uint64_t summed = 1;
    for (std::size_t d = 0; d < kept_.size(); ++d) {
      if (!isReduced(d)) continue;
      order.push_back(d);
      summed *= tensor.shape()[d];
    }
    for (std::size_t d = 0; d < kept_.size(); ++d) {
      if (!isReduced(d)) order.push_back(d);
    }
    return tensor.dimShuffle(order).reshape({summed, tensor.elements() / summed});
  }

  [[nodiscard]] bool isReduced(std::size_t d) const {
    return kept_[d] == 1 && site_.types.front().shape[d] != 1;
  }

  ReductionFunction function_;
  Shape kept_;  ///< as many dimensions as the operand
};

/// dy where x equals its extreme, and 0 elsewhere, from (x, y, dy). `kept` is that of
/// ReductionLowering.
class ExtremeGradientLowering final : public NodeLowering {
 public:
  ExtremeGradientLowering(Shape kept, NodeSite site)
      : NodeLowering(std::move(site)), kept_(std::move(kept)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor x = inOneVariable(operands[0], "x", program);
    const auto like_x = [&](const Tensor& operand, const char* part) {
      const Tensor repeated = broadcastView(operand.reshape(kept_), site_.result);
      return storageOf(graph, alike(x, repeated, part, program));
    };
    Elementwise ops(graph, site_.machine, program);
    const Tensor is_extreme =
        ops.binary(models::BinaryOp::Equal, storageOf(graph, x), like_x(operands[1], "y"),
                   step("Equal"), Lifetime::Temporary);
    const Tensor dx = ops.cast(is_extreme, x.type(), step("Cast"), site_.lifetime);
    ops.binaryInPlace(models::BinaryOp::Multiply, dx, like_x(operands[2], "gradient"),
                      step("Multiply"));
    return {resultIn(dx, x)};
  }

 private:
  Shape kept_;
};

class BroadcastTo final : public Operation {
 public:
  explicit BroadcastTo(Shape shape) : shape_(std::move(shape)) {}
  [[nodiscard]] std::string kind() const override { return "broadcast"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return textOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    if (broadcastShape(operands[0].shape, shape_) != shape_) {
      throw OperandError("a shape that can be broadcast to " + textOf(shape_),
                         textOf(operands[0].shape));
    }
    return {{shape_, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, sumToShape(site.operandType(0).shape),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] bool isFreeOnGpu() const override { return true; }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerView(
        [shape = shape_](const std::vector<Tensor>& operands) {
          return broadcastView(operands.front(), shape);
        },
        std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result;
    for (const std::uint64_t source : broadcastSources(operands[0].type.shape, shape_)) {
      result.push_back(operands[0].values[source]);
    }
    return {std::move(result)};
  }

 private:
  Shape shape_;
};

class SumToShape final : public Operation {
 public:
  explicit SumToShape(Shape shape) : shape_(std::move(shape)) {}
  [[nodiscard]] std::string kind() const override { return "reduce_sum"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return textOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    if (broadcastShape(operands[0].shape, shape_) != operands[0].shape) {
      throw OperandError("a shape to which " + textOf(shape_) + " can be broadcast",
                         textOf(operands[0].shape));
    }
    return {{shape_, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, broadcastTo(site.operandType(0).shape),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ReductionLowering>(ReductionFunction::Sum, shape_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {sumsIn<double>(operands[0])};
  }
  /// Tiles add up floats.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return {sumsIn<TileSum>(operands[0])};
  }

 private:
  template <typename Sum>
  [[nodiscard]] TensorValues sumsIn(const NumberedTensor& operand) const {
    std::vector<Sum> sums(elementsOf(shape_), Sum(0));
    const auto targets = broadcastSources(shape_, operand.type.shape);
    for (std::size_t e = 0; e < targets.size(); ++e) {
      sums[targets[e]] += static_cast<Sum>(operand.values[e]);
    }
    TensorValues values(sums.size());
    std::transform(sums.begin(), sums.end(), values.begin(),
                   [](const Sum& sum) { return static_cast<double>(sum); });
    return values;
  }

  Shape shape_;
};

/// dx: dy where x equals its maximum or minimum, zero elsewhere; from (x, y, dy).
class ExtremeGradient final : public Operation {
 public:
  ExtremeGradient(ReductionFunction function, Shape kept)
      : function_(function), kept_(std::move(kept)) {}
  [[nodiscard]] std::string kind() const override {
    return std::string("reduce_") + wordOf(function_, kReductionFunctions) + "_gradient";
  }
  [[nodiscard]] std::optional<std::string> settings() const override { return textOf(kept_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 3);
    return {operands[0]};
  }
  [[nodiscard]] OperandNeed needOf(std::size_t operand) const override {
    return operand < 2 ? OperandNeed::Exact : OperandNeed::Value;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ExtremeGradientLowering>(kept_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const auto targets = broadcastSources(kept_, operands[0].type.shape);
    TensorValues result(targets.size(), 0);
    for (std::size_t e = 0; e < targets.size(); ++e) {
      const std::uint64_t target = targets[e];
      if (operands[0].values[e] == operands[1].values[target]) {
        result[e] = operands[2].values[target];
      }
    }
    return {std::move(result)};
  }

 private:
  ReductionFunction function_;
  Shape kept_;  ///< the shape of the extreme, with reduced dimensions of 1
};

bool isExtreme(ReductionFunction function) {
  return function == ReductionFunction::Maximum || function == ReductionFunction::Minimum;
}

/// The result of a reduction before its first element.
double startOf(ReductionFunction function) {
  constexpr double kBeyondAll = std::numeric_limits<double>::infinity();
  if (function == ReductionFunction::Maximum) return -kBeyondAll;
  return function == ReductionFunction::Minimum ? kBeyondAll : 0;
}

template <typename Sum>
Sum reduced(ReductionFunction function, Sum sum, double term) {
  if (function == ReductionFunction::Maximum) {
    return Sum(std::max(static_cast<double>(sum), term));
  }
  if (function == ReductionFunction::Minimum) {
    return Sum(std::min(static_cast<double>(sum), term));
  }
  return sum += Sum(term);
}

class Reduce final : public Operation {
 public:
  Reduce(ReductionFunction function, std::vector<std::size_t> axes, ReducedAxes reduced)
      : function_(function), axes_(std::move(axes)), reduced_(reduced) {}

  [[nodiscard]] std::string kind() const override {
    return std::string("reduce_") + wordOf(function_, kReductionFunctions);
  }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {}", fmt::join(axes_, " "), reduced_ == ReducedAxes::Kept);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    const Shape kept = keptShape(operands[0].shape);
    if (reduced_ == ReducedAxes::Kept) return {{kept, operands[0].type}};
    Shape shape;
    for (std::size_t d = 0; d < kept.size(); ++d) {
      if (!isReduced(d)) shape.push_back(kept[d]);
    }
    return {{shape, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    NetworkGraph& graph = site.graph;
    const Shape& shape = site.operandType(0).shape;
    const Shape kept = keptShape(shape);
    NetworkTensorId gradient = *site.result_gradients.front();
    if (isExtreme(function_)) {
      return {graph.add(site.name, std::make_shared<ExtremeGradient>(function_, kept),
                        {site.operands[0], site.results[0], gradient})};
    }
    if (graph.shapeOf(gradient) != kept) {
      gradient = graph.add(site.name + "/reshape", reshape(kept), {gradient});
    }
    if (function_ == ReductionFunction::Mean) {
      gradient = graph.add(site.name + "/scale", scale(1 / countOf(shape)), {gradient});
    }
    return {graph.add(site.name, broadcastTo(shape), {gradient})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    const Shape kept = keptShape(site.types.front().shape);
    return std::make_unique<ReductionLowering>(function_, kept, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {reducedIn<double>(operands[0])};
  }
  /// Tiles add up floats.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return {reducedIn<TileSum>(operands[0])};
  }

 private:
  template <typename Sum>
  [[nodiscard]] TensorValues reducedIn(const NumberedTensor& operand) const {
    const Shape& shape = operand.type.shape;
    const Shape kept = keptShape(shape);
    std::vector<Sum> found(elementsOf(kept), Sum(startOf(function_)));
    const auto targets = broadcastSources(kept, shape);
    for (std::size_t e = 0; e < targets.size(); ++e) {
      Sum& target = found[targets[e]];
      target = reduced(function_, target, operand.values[e]);
    }
    TensorValues result(found.size());
    std::transform(found.begin(), found.end(), result.begin(),
                   [](const Sum& sum) { return static_cast<double>(sum); });
    if (function_ == ReductionFunction::Mean) {
      for (double& value : result) value /= countOf(shape);
    }
    return result;
  }

  [[nodiscard]] bool isReduced(std::size_t axis) const {
    return std::find(axes_.begin(), axes_.end(), axis) != axes_.end();
  }
  [[nodiscard]] Shape keptShape(Shape shape) const {
    for (const std::size_t axis : axes_) {
      if (axis >= shape.size()) {
        throw OperandError(fmt::format("more than {} dimensions", axis), textOf(shape));
      }
      shape[axis] = 1;
    }
    return shape;
  }
  /// The elements that one result takes.
  [[nodiscard]] double countOf(const Shape& shape) const {
    return static_cast<double>(elementsOf(shape)) /
           static_cast<double>(elementsOf(keptShape(shape)));
  }

  ReductionFunction function_;
  std::vector<std::size_t> axes_;
  ReducedAxes reduced_;
};

}  // namespace

OperationPointer reduce(ReductionFunction function, const std::vector<std::size_t>& axes,
                        ReducedAxes reduced) {
  return std::make_shared<Reduce>(function, axes, reduced);
}

NetworkTensorId sumOverCopies(const GradientSite& site, const Shape& shape,
                              NetworkTensorId gradient) {
  if (site.graph.shapeOf(gradient) == shape) return gradient;
  return site.graph.add(site.name + "/sum", sumToShape(shape), {gradient});
}

OperationPointer sumToShape(const Shape& shape) {
  return std::make_shared<SumToShape>(shape);
}

OperationPointer broadcastTo(const Shape& shape) {
  return std::make_shared<BroadcastTo>(shape);
}

}  // namespace ipusim::workloads
