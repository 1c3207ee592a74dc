// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"

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

}  // namespace

NodeLoweringPointer lowerSelect(NodeSite site) {
  return std::make_unique<SelectLowering>(std::move(site));
}

NodeLoweringPointer lowerCast(ElementType type, NodeSite site) {
  return std::make_unique<CastLowering>(type, std::move(site));
}

NodeLoweringPointer lowerClip(const ClipBounds& bounds, NodeSite site) {
  return std::make_unique<ClipLowering>(bounds, std::move(site));
}

NodeLoweringPointer lowerClipGradient(const ClipBounds& bounds, NodeSite site) {
  return std::make_unique<ClipGradientLowering>(bounds, std::move(site));
}

}  // namespace ipusim::workloads
