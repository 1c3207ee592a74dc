// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/elementwise/unary.h"

#include "ipusim/error.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/operations/elementwise/unary_steps.h"

namespace ipusim::workloads {

namespace {

class UnaryLowering final : public NodeLowering {
 public:
  UnaryLowering(const UnaryRow& row, NodeSite site) : NodeLowering(std::move(site)), row_(row) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = inOneVariable(operands.front(), "x", program);
    UnarySteps steps(site_, {x, x}, program);
    return {row_.lower(steps)};
  }

 private:
  const UnaryRow& row_;
};

class UnaryGradientLowering final : public NodeLowering {
 public:
  UnaryGradientLowering(const UnaryRow& row, NodeSite site)
      : NodeLowering(std::move(site)), row_(row) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor saved = inOneVariable(operands[0], "saved", program);
    const Tensor gradient = alike(saved, operands[1], "arranged", program);
    UnarySteps steps(site_, {saved, gradient}, program);
    return {row_.lower_gradient(steps)};
  }

 private:
  const UnaryRow& row_;
};

/// dx = dy f'(x), from (saved, dy); `saved` is x or y.
class UnaryGradient final : public Operation {
 public:
  explicit UnaryGradient(const UnaryRow& row) : row_(row) {}
  [[nodiscard]] std::string kind() const override { return std::string(row_.word) + "_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    return {operands[1]};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[1], 2);
  }
  [[nodiscard]] OperandNeed needOf(std::size_t operand) const override {
    return operand == 0 && row_.slope_of == SlopeOf::ResultSign ? OperandNeed::Sign
                                                                : OperandNeed::Value;
  }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return std::make_unique<UnaryGradientLowering>(row_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[1].values;
    for (std::size_t e = 0; e < result.size(); ++e) result[e] *= row_.slope(operands[0].values[e]);
    return {std::move(result)};
  }

 private:
  const UnaryRow& row_;
};

class Unary final : public Operation {
 public:
  explicit Unary(const UnaryRow& row) : row_(row) {}
  [[nodiscard]] std::string kind() const override { return row_.word; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const NetworkTensorId saved =
        row_.slope_of == SlopeOf::Operand ? site.operands.front() : site.results.front();
    return {site.graph.add(site.name, std::make_shared<UnaryGradient>(row_),
                           {saved, *site.result_gradients.front()})};
  }
  [[nodiscard]] bool hasDomain() const override { return row_.has_domain; }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return std::make_unique<UnaryLowering>(row_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues result = operands[0].values;
    for (double& value : result) value = row_.value(value);
    return {std::move(result)};
  }

 private:
  const UnaryRow& row_;
};

}  // namespace

const UnaryRow& rowOf(UnaryFunction function) {
  const UnaryRow& row = unaryRows().at(static_cast<std::size_t>(function));
  check(row.function == function, "the rows are in the order of their enumeration");
  return row;
}

OperationPointer unary(UnaryFunction function) {
  return std::make_shared<Unary>(rowOf(function));
}

}  // namespace ipusim::workloads
