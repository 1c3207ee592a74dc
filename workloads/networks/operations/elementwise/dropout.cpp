// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/random/dropout.h"

#include <fmt/format.h>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/placement/shares.h"

namespace ipusim::workloads {

namespace {

/// The mask is what the dropout makes of ones. The vendor's library draws it again in the backward
/// pass instead, from the same seed.
class DropoutLowering final : public NodeLowering {
 public:
  DropoutLowering(const DropoutRule& rule, NodeSite site)
      : NodeLowering(std::move(site)), rule_(rule) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor x = consecutive(graph, site_.machine, operands.front(), step("x"), program);
    const Tensor flat = x.reshape({x.elements()});
    const Tensor y = addDropout(graph, rule_, flat, {site_.name, site_.lifetime}, program);
    const Tensor ones = graph.addConstant(x.type(), flat.shape(), 1, step("ones"));
    mapAlike(graph, flat, ones);
    const Tensor mask = addDropout(graph, rule_, ones, {step("mask")}, program);
    return {y.reshape(site_.result), mask.reshape(site_.result)};
  }

 private:
  DropoutRule rule_;
};

class Dropout final : public Operation {
 public:
  explicit Dropout(const DropoutRule& rule) : rule_(rule) {}
  [[nodiscard]] std::string kind() const override { return "dropout"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", rule_.rate);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return {operands[0], operands[0]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, binary(models::BinaryOp::Multiply),
                           {*site.result_gradients.front(), site.results[1]})};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<DropoutLowering>(rule_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[0].values;
    TensorValues mask(result.size());
    for (std::size_t e = 0; e < result.size(); ++e) {
      mask[e] = rule_.factor(e);
      result[e] *= mask[e];
    }
    return {std::move(result), std::move(mask)};
  }

 private:
  DropoutRule rule_;
};

}  // namespace

OperationPointer dropout(double rate, std::uint64_t seed) {
  return std::make_shared<Dropout>(DropoutRule{rate, seed});
}

}  // namespace ipusim::workloads
