// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

class ScaleLowering final : public NodeLowering {
 public:
  ScaleLowering(double factor, NodeSite site) : NodeLowering(std::move(site)), factor_(factor) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    Elementwise ops(site_.graph, site_.machine, program);
    const Tensor storage =
        ops.scale(storageOf(site_.graph, x), factor_, site_.name, site_.lifetime);
    return {resultIn(storage, x)};
  }

 private:
  double factor_;
};

class Scale final : public Operation {
 public:
  explicit Scale(double factor) : factor_(factor) {}
  [[nodiscard]] std::string kind() const override { return "scale"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", factor_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, scale(factor_), {*site.result_gradients.front()})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ScaleLowering>(factor_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[0].values;
    for (double& value : result) value *= factor_;
    return {std::move(result)};
  }
  [[nodiscard]] double factor() const { return factor_; }

 private:
  double factor_;
};

}  // namespace

OperationPointer scale(double factor) {
  return std::make_shared<Scale>(factor);
}

std::optional<double> scaleFactor(const Operation& operation) {
  const auto* const found = dynamic_cast<const Scale*>(&operation);
  return found == nullptr ? std::nullopt : std::optional(found->factor());
}

}  // namespace ipusim::workloads
