// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/skipped.h"

#include <fmt/format.h>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"

namespace ipusim::workloads {

namespace {

/// Constants, which no step writes.
class SkippedLowering final : public NodeLowering {
 public:
  SkippedLowering(TensorTypes results, NodeSite site)
      : NodeLowering(std::move(site)), results_(std::move(results)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& /*operands*/,
                            Program& /*program*/) override {
    std::vector<Tensor> zeros;
    for (const TensorType& result : results_) {
      zeros.push_back(site_.graph.addConstant(result.type, result.shape, 0,
                                              step(fmt::format("result{}", zeros.size()))));
      site_.graph.mapLinearly(zeros.back(), site_.machine);
    }
    return zeros;
  }

 private:
  TensorTypes results_;
};

class Skipped final : public Operation {
 public:
  Skipped(std::string kind, TensorTypes results)
      : kind_(std::move(kind)), results_(std::move(results)) {}

  [[nodiscard]] std::string kind() const override { return kind_; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& /*operands*/) const override {
    return results_;
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    OperandGradients gradients(site.operands.size());
    for (std::size_t operand = 0; operand < gradients.size(); ++operand) {
      if (!site.wanted[operand]) continue;
      gradients[operand] =
          site.graph.add(fmt::format("{}/{}", site.name, operand),
                         skippedOperation(kind_ + "_gradient", {site.operandType(operand)}),
                         {*site.result_gradients.front()});
    }
    return gradients;
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<SkippedLowering>(results_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(
      const NumberedTensors& /*operands*/) const override {
    std::vector<TensorValues> zeros;
    for (const TensorType& result : results_) zeros.emplace_back(elementsOf(result.shape), 0);
    return zeros;
  }

 private:
  std::string kind_;
  TensorTypes results_;
};

}  // namespace

OperationPointer skippedOperation(const std::string& kind, const TensorTypes& results) {
  return std::make_shared<Skipped>(kind, results);
}

bool isSkipped(const Operation& operation) {
  return dynamic_cast<const Skipped*>(&operation) != nullptr;
}

}  // namespace ipusim::workloads
