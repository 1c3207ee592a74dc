// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

/// A variable of the program that nothing writes.
class ConstantLowering final : public NodeLowering {
 public:
  ConstantLowering(ElementType type, double value, NodeSite site)
      : NodeLowering(std::move(site)), type_(type), value_(value) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& /*operands*/,
                            Program& /*program*/) override {
    Tensor constant = site_.graph.addConstant(type_, site_.result, value_, site_.name);
    site_.graph.mapLinearly(constant, site_.machine);
    return {constant};
  }

 private:
  ElementType type_;
  double value_;
};

class ZerosLowering final : public NodeLowering {
 public:
  ZerosLowering(ElementType type, NodeSite site) : NodeLowering(std::move(site)), type_(type) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& /*operands*/, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor constant = graph.addConstant(type_, site_.result, 0, step("constant"));
    graph.mapLinearly(constant, site_.machine);
    const Tensor zeros = addAlike(graph, constant, type_, site_.name, site_.lifetime);
    program.add(graph.copy(constant, zeros, site_.name));
    return {zeros};
  }

 private:
  ElementType type_;
};

class Zeros final : public Operation {
 public:
  explicit Zeros(TensorType type) : type_(std::move(type)) {}
  [[nodiscard]] std::string kind() const override { return "zeros"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {}", textOf(type_.shape), nameOf(type_.type));
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 0);
    return {type_};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ZerosLowering>(type_.type, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(
      const NumberedTensors& /*operands*/) const override {
    return {TensorValues(elementsOf(type_.shape), 0)};
  }

 private:
  TensorType type_;
};

class Constant final : public Operation {
 public:
  Constant(TensorType type, double value) : type_(std::move(type)), value_(value) {}
  [[nodiscard]] std::string kind() const override { return "constant"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {} {}", textOf(type_.shape), nameOf(type_.type), value_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 0);
    return {type_};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  /// Its memory is that of every round, so that nothing may be written over it.
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ConstantLowering>(type_.type, value_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(
      const NumberedTensors& /*operands*/) const override {
    return {TensorValues(elementsOf(type_.shape), value_)};
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  TensorType type_;
  double value_;
};

}  // namespace

OperationPointer constant(const Shape& shape, double value, ElementType type) {
  return std::make_shared<Constant>(TensorType{shape, type}, value);
}

std::optional<double> constantValue(const Operation& operation) {
  const auto* const found = dynamic_cast<const Constant*>(&operation);
  return found == nullptr ? std::nullopt : std::optional(found->value());
}

OperationPointer zeros(const Shape& shape, ElementType type) {
  return std::make_shared<Zeros>(TensorType{shape, type});
}

}  // namespace ipusim::workloads
