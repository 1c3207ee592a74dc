// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/power_gradient.h"

#include <cmath>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/view_lowering.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

class PowerGradientLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor base = inOneVariable(broadcastView(operands[0], site_.result), "base", program);
    const auto like_base = [&](const Tensor& operand, const char* part) {
      return storageOf(graph, alike(base, broadcastView(operand, site_.result), part, program));
    };
    const Tensor exponents = like_base(operands[1], "exponents");
    const Tensor gradient = like_base(operands[2], "gradient");
    Elementwise ops(graph, site_.machine, program);
    const Tensor lower =
        ops.withScalar(models::BinaryOp::Add, exponents, -1, step("Add"), Lifetime::Temporary);
    const Tensor dx = ops.binary(models::BinaryOp::Power, storageOf(graph, base), lower,
                                 step("Power"), site_.lifetime);
    ops.binaryInPlace(models::BinaryOp::Multiply, dx, exponents, step("Multiply_by_exponent"));
    ops.binaryInPlace(models::BinaryOp::Multiply, dx, gradient, step("Multiply_by_gradient"));
    return {resultIn(dx, base)};
  }
};

class PowerGradient final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "power_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 3);
    expectOneType(operands, 0, 3);
    return {operands[2]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    constexpr std::uint64_t kOperations = 4;  // a difference, a power and two products
    return elementwiseFlops(operands[2], kOperations);
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<PowerGradientLowering>(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const Shape& shape = operands[2].type.shape;
    const auto bases = broadcastSources(operands[0].type.shape, shape);
    const auto exponents = broadcastSources(operands[1].type.shape, shape);
    TensorValues result = operands[2].values;
    for (std::size_t e = 0; e < result.size(); ++e) {
      const double exponent = operands[1].values[exponents[e]];
      // a^0 is 1 for all a, also where a^-1 is infinite.
      result[e] *=
          exponent == 0 ? 0 : exponent * std::pow(operands[0].values[bases[e]], exponent - 1);
    }
    return {std::move(result)};
  }
};

}  // namespace

OperationPointer powerGradient() {
  return std::make_shared<PowerGradient>();
}

}  // namespace ipusim::workloads
