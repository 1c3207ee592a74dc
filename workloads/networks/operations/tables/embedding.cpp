// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/tables/embedding.h"

#include <fmt/format.h>

#include "workloads/networks/gpu/gpu_node.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/planned_tables.h"
#include "workloads/ops/gather/planned_look_ups.h"

namespace ipusim::workloads {

namespace {

/// A framework's indices on a GPU have 64 bits.
constexpr Bytes kIndexBytes(8);

/// The lowering of look-ups or updates by a plan.
class PlannedRowsLowering : public NodeLowering {
 public:
  PlannedRowsLowering(EmbeddingPlan plan, NodeSite&& site)
      : NodeLowering(std::move(site)), plan_(std::move(plan)) {}

 protected:
  [[nodiscard]] const EmbeddingPlan& plan() const { return plan_; }

  /// Adds indices of that shape.
  Tensor indicesOf(const Shape& shape) {
    return addIndices(site_.graph, plan_, {step("indices"), Lifetime::Always}).reshape(shape);
  }

 private:
  EmbeddingPlan plan_;
};

class EmbeddingLowering final : public PlannedRowsLowering {
 public:
  explicit EmbeddingLowering(NodeSite site)
      : PlannedRowsLowering(lookUpPlan(site, tableOf(site.types)), std::move(site)) {}

  /// The table lies where its rows are looked up.
  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    if (operand == 1) return indicesOf(site_.types[1].shape);
    return addTable(site_.graph, plan(), {step("table"), site_.sources})
        .reshape(site_.types[0].shape);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const std::uint64_t rows = plan().problem.rows;
    const Tensor table =
        arrangeTable(site_.graph, plan(), {asMatrix(operands[0], rows), rows}, site_.name, program);
    const Tensor indices = operands[1].reshape({operands[1].elements()});
    const Tensor found =
        gatherRows(site_.graph, site_.machine, {plan(), table, indices}, site_.name, program);
    return {kept(found.reshape(site_.result), program)};
  }

 private:
  static TableOfNode tableOf(const TensorTypes& types) {
    const std::uint64_t rows = types[0].shape.front();
    return {types[0].type, rows, elementsOf(types[0].shape) / rows, elementsOf(types[1].shape)};
  }
  static Tensor asMatrix(const Tensor& table, std::uint64_t rows) {
    return table.shape().size() == 2 ? table : table.reshape({rows, table.elements() / rows});
  }
};

class EmbeddingGradientLowering final : public PlannedRowsLowering {
 public:
  EmbeddingGradientLowering(std::uint64_t rows, NodeSite site)
      : PlannedRowsLowering(updatePlan(site, tableOf(rows, site.types)), std::move(site)) {}

  /// The rows lie where they are added from.
  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    if (operand == 0) return indicesOf(site_.types[0].shape);
    return addSlices(site_.graph, plan(), {step("rows"), Lifetime::Always})
        .reshape(site_.types[1].shape);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const std::uint64_t count = operands[0].elements();
    const Tensor indices = operands[0].reshape({count});
    const Tensor rows = operands[1].reshape({count, operands[1].elements() / count});
    return {scatterAddRows(site_.graph, site_.machine, {plan(), rows, indices},
                           {site_.name, site_.lifetime}, program)
                .reshape(site_.result)};
  }

 private:
  static TableOfNode tableOf(std::uint64_t rows, const TensorTypes& types) {
    const std::uint64_t count = elementsOf(types[0].shape);
    return {types[1].type, rows, elementsOf(types[1].shape) / count, count};
  }
};

/// The gradient of a table of `rows` rows: the sums of the gradients of equal indices, from
/// (indices, dy).
class EmbeddingGradient final : public Operation {
 public:
  explicit EmbeddingGradient(std::uint64_t rows) : rows_(rows) {}
  [[nodiscard]] std::string kind() const override { return "embedding_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}", rows_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    expectWhole(operands[0], "indices");
    const Shape& gradient = operands[1].shape;
    Shape table{rows_};
    table.insert(table.end(),
                 gradient.begin() + static_cast<std::ptrdiff_t>(operands[0].shape.size()),
                 gradient.end());
    return {{table, operands[1].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[1]);
  }
  [[nodiscard]] std::optional<std::uint64_t> indicesBelow(
      std::size_t operand, const TensorTypes& /*operands*/) const override {
    return operand == 0 ? std::make_optional(rows_) : std::nullopt;
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<EmbeddingGradientLowering>(rows_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const TensorType table = infer({operands[0].type, operands[1].type}).front();
    TensorValues result(elementsOf(table.shape), 0);
    const std::uint64_t width = result.size() / rows_;
    for (std::size_t e = 0; e < operands[1].values.size(); ++e) {
      const std::size_t row = indexBelow(rows_, operands[0].values[e / width]);
      result[row * width + e % width] += operands[1].values[e];
    }
    return {std::move(result)};
  }

 private:
  std::uint64_t rows_;
};

class Embedding final : public Operation {
 public:
  [[nodiscard]] std::string kind() const override { return "embedding"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return ""; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    const Shape& table = operands[0].shape;
    if (table.empty()) throw OperandError("a table of rows", textOf(table));
    expectWhole(operands[1], "indices");
    Shape shape = operands[1].shape;
    shape.insert(shape.end(), table.begin() + 1, table.end());
    return {{shape, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const std::uint64_t rows = site.operandType(0).shape.front();
    return {site.graph.add(site.name, std::make_shared<EmbeddingGradient>(rows),
                           {site.operands[1], *site.result_gradients.front()}),
            std::nullopt};
  }
  [[nodiscard]] std::optional<std::uint64_t> indicesBelow(
      std::size_t operand, const TensorTypes& operands) const override {
    return operand == 1 ? std::make_optional(operands[0].shape.front()) : std::nullopt;
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<EmbeddingLowering>(std::move(site));
  }
  [[nodiscard]] gpu::Operator gpuOperator(const GpuNode& node) const override {
    const std::uint64_t rows = elementsOf(node.operands[1].shape);
    const Bytes moved = node.first_result;
    const Bytes row(ceilDiv(moved.value(), rows));
    const gpu::Gather gather{rows, row, kIndexBytes, 2 * moved + rows * kIndexBytes};
    return {"", gpu::FrameworkCall::Elementwise, {gather}};
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const AxisView table = viewAround(operands[0].type.shape, 0);
    TensorValues result;
    for (const double index : operands[1].values) {
      const std::size_t row = indexBelow(table.size, index);
      const auto from = operands[0].values.begin() + static_cast<std::ptrdiff_t>(row * table.inner);
      result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(table.inner));
    }
    return {std::move(result)};
  }
};

}  // namespace

OperationPointer embedding() {
  return std::make_shared<Embedding>();
}

OperationPointer sumByIndex(std::uint64_t rows) {
  return std::make_shared<EmbeddingGradient>(rows);
}

}  // namespace ipusim::workloads
