// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/view_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

class SelectLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor yes = inOneVariable(broadcastView(operands[1], site_.result), "yes", program);
    const auto like_yes = [&](const Tensor& operand, const char* part) {
      return storageOf(graph, alike(yes, broadcastView(operand, site_.result), part, program));
    };
    Elementwise ops(graph, site_.machine, program);
    Tensor condition = like_yes(operands[0], "condition");
    if (condition.type() != ElementType::Bool) {
      condition = ops.cast(condition, ElementType::Bool, step("Cast"), Lifetime::Temporary);
    }
    const Tensor storage =
        ops.select({condition, storageOf(graph, yes), like_yes(operands[2], "no")}, step("Select"),
                   site_.lifetime);
    return {resultIn(storage, yes)};
  }
};

class CastLowering final : public NodeLowering {
 public:
  CastLowering(ElementType type, NodeSite site) : NodeLowering(std::move(site)), type_(type) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    const Tensor storage =
        Elementwise(site_.graph, site_.machine, program)
            .cast(storageOf(site_.graph, x), type_, step("Cast"), site_.lifetime);
    return {resultIn(storage, x)};
  }

 private:
  ElementType type_;
};

class ClipLowering final : public NodeLowering {
 public:
  ClipLowering(const ClipBounds& bounds, NodeSite site)
      : NodeLowering(std::move(site)), bounds_(bounds) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    const Tensor storage = Elementwise(site_.graph, site_.machine, program)
                               .clamp(storageOf(site_.graph, x), {bounds_.low, bounds_.high},
                                      step("Clamp"), site_.lifetime);
    return {resultIn(storage, x)};
  }

 private:
  ClipBounds bounds_;
};

/// The gradient where a clamp leaves x as it is.
class ClipGradientLowering final : public NodeLowering {
 public:
  ClipGradientLowering(const ClipBounds& bounds, NodeSite site)
      : NodeLowering(std::move(site)), bounds_(bounds) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor saved = inOneVariable(operands[0], "saved", program);
    const Tensor gradient = storageOf(graph, alike(saved, operands[1], "arranged", program));
    const Tensor x = storageOf(graph, saved);
    Elementwise ops(graph, site_.machine, program);
    const Tensor clamped =
        ops.clamp(x, {bounds_.low, bounds_.high}, step("Clamp"), Lifetime::Temporary);
    const Tensor is_same =
        ops.binary(models::BinaryOp::Equal, x, clamped, step("Equal"), Lifetime::Temporary);
    const Tensor dx = ops.cast(is_same, gradient.type(), step("Cast"), site_.lifetime);
    ops.binaryInPlace(models::BinaryOp::Multiply, dx, gradient, step("Multiply"));
    return {resultIn(dx, saved)};
  }

 private:
  ClipBounds bounds_;
};

/// dy where low <= x <= high, from (x, dy).
class ClipGradient final : public Operation {
 public:
  explicit ClipGradient(const ClipBounds& bounds) : bounds_(bounds) {}
  [[nodiscard]] std::string kind() const override { return "clip_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {}", bounds_.low, bounds_.high);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {operands[1]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[1], 2);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ClipGradientLowering>(bounds_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[1].values;
    for (std::size_t e = 0; e < result.size(); ++e) {
      const double x = operands[0].values[e];
      if (x < bounds_.low || x > bounds_.high) result[e] = 0;
    }
    return {std::move(result)};
  }

 private:
  ClipBounds bounds_;
};

class Clip final : public Operation {
 public:
  explicit Clip(const ClipBounds& bounds) : bounds_(bounds) {}
  [[nodiscard]] std::string kind() const override { return "clip"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {}", bounds_.low, bounds_.high);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, std::make_shared<ClipGradient>(bounds_),
                           {site.operands[0], *site.result_gradients.front()})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ClipLowering>(bounds_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[0].values;
    for (double& value : result) {
      value = std::min(std::max(value, bounds_.low), bounds_.high);
    }
    return {std::move(result)};
  }

 private:
  ClipBounds bounds_;
};

class Select final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "select"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 3);
    expectOneType(operands, 1, 3);
    return {{resultShape(operands), operands[1].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(infer(operands).front());
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    OperandGradients gradients(3);
    const NetworkTensorId dy = *site.result_gradients.front();
    if (!site.wanted[1] && !site.wanted[2]) return gradients;
    const NetworkTensorId zero =
        site.graph.add(site.name + "/zero", constant(Shape{1}, 0, site.operandType(1).type), {});
    const NetworkTensorId condition = site.operands[0];
    const auto add = [&](std::size_t operand, const std::vector<NetworkTensorId>& operands) {
      if (!site.wanted[operand]) return;
      const NetworkTensorId whole = site.graph.add(site.name, select(), operands);
      gradients[operand] = sumOverCopies(site, site.operandType(operand).shape, whole);
    };
    add(1, {condition, dy, zero});
    add(2, {condition, zero, dy});
    return gradients;
  }
  /// A zero of the condition that is not quite zero takes the other operand.
  [[nodiscard]] OperandNeed needOf(std::size_t operand) const override {
    return operand == 0 ? OperandNeed::Exact : OperandNeed::Value;
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<SelectLowering>(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const Shape shape = resultShape({operands[0].type, operands[1].type, operands[2].type});
    const auto condition = broadcastSources(operands[0].type.shape, shape);
    const auto yes = broadcastSources(operands[1].type.shape, shape);
    const auto no = broadcastSources(operands[2].type.shape, shape);
    TensorValues result(condition.size());
    for (std::size_t e = 0; e < result.size(); ++e) {
      const bool is_yes = operands[0].values[condition[e]] != 0;
      result[e] = is_yes ? operands[1].values[yes[e]] : operands[2].values[no[e]];
    }
    return {std::move(result)};
  }

 private:
  static Shape resultShape(const TensorTypes& operands) {
    return broadcastShape(operands[0].shape, broadcastShape(operands[1].shape, operands[2].shape));
  }
};

class Cast final : public Operation {
 public:
  explicit Cast(ElementType type) : type_(type) {}
  [[nodiscard]] std::string kind() const override { return "cast"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return nameOf(type_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return {{operands[0].shape, type_}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const ElementType from = site.operandType(0).type;
    if (!isFloating(type_) || !isFloating(from)) return {std::nullopt};
    return {site.graph.add(site.name, cast(from), {*site.result_gradients.front()})};
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<CastLowering>(type_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[0].values;
    if (type_ == ElementType::Bool) {
      for (double& value : result) value = value == 0 ? 0 : 1;
    } else if (type_ == ElementType::Half) {
      for (double& value : result) {
        value = static_cast<double>(static_cast<float>(Half(static_cast<float>(value))));
      }
    } else if (!isFloating(type_)) {
      for (double& value : result) value = std::trunc(value);
    }
    return {std::move(result)};
  }

 private:
  ElementType type_;
};

}  // namespace

OperationPointer clip(const ClipBounds& bounds) {
  return std::make_shared<Clip>(bounds);
}

OperationPointer select() {
  return std::make_shared<Select>();
}

OperationPointer cast(ElementType type) {
  return std::make_shared<Cast>(type);
}

}  // namespace ipusim::workloads
