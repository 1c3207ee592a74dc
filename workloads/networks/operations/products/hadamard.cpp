// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/hadamard/hadamard.h"

#include "base/numbers/powers_of_two.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/rows_lowering.h"
#include "workloads/networks/operations/products/structured.h"

namespace ipusim::workloads {

namespace {

/// The transform of each row of `features` numbers, in which sums round as a Number does.
template <typename Number>
TensorValues transformed(std::uint64_t features, const TensorValues& values) {
  std::vector<Number> rows(values.begin(), values.end());
  for (std::uint64_t width = 1; width < features; width *= 2) {
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      if ((i & width) != 0) continue;
      const Number low = rows[i];
      rows[i] = low + rows[i + width];
      rows[i + width] = low - rows[i + width];
    }
  }
  return {rows.begin(), rows.end()};
}

class HadamardLowering final : public RowsLowering {
 public:
  HadamardLowering(NetworkPass pass, NodeSite site) : RowsLowering(std::move(site)), pass_(pass) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor rows = consecutiveRows(operands.front(), "rows", program);
    const auto add = pass_ == NetworkPass::Forward ? addHadamard : addHadamardGradient;
    return {kept(add(site_.graph, site_.machine, rows, site_.name, program), program)};
  }

 private:
  NetworkPass pass_;
};

/// The transform is its own transpose, so that the gradient has the numbers of the forward pass.
/// Its steps are others.
class Hadamard final : public Operation {
 public:
  explicit Hadamard(NetworkPass pass) : pass_(pass) {}
  [[nodiscard]] std::string kind() const override {
    return isForward() ? "hadamard" : "hadamard_gradient";
  }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    const Shape& shape = operands[0].shape;
    if (shape.size() != 2 || !isPowerOfTwo(shape[1])) {
      throw OperandError("rows of a power of two", textOf(shape));
    }
    return operands;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    std::uint64_t stages = 0;
    for (std::uint64_t width = 1; width < operands[0].shape[1]; width *= 2) ++stages;
    return elementwiseFlops(operands[0], stages);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return {site.graph.add(site.name, std::make_shared<Hadamard>(NetworkPass::Backward),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return std::make_unique<HadamardLowering>(pass_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {transformed<double>(operands[0].type.shape[1], operands[0].values)};
  }
  /// A sum that is small beside its terms keeps what they were rounded by in earlier stages.
  [[nodiscard]] std::vector<TensorValues> computeRounded(
      const NumberedTensors& operands) const override {
    return {transformed<float>(operands[0].type.shape[1], operands[0].values)};
  }

 private:
  [[nodiscard]] bool isForward() const { return pass_ == NetworkPass::Forward; }

  NetworkPass pass_;  ///< Forward or Backward
};

}  // namespace

OperationPointer hadamard() {
  return std::make_shared<Hadamard>(NetworkPass::Forward);
}

}  // namespace ipusim::workloads
