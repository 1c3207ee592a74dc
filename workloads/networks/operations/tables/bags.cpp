// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/planned_tables.h"
#include "workloads/networks/lowering/rows_lowering.h"
#include "workloads/networks/operations/products/structured.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/gather/planned_look_ups.h"

namespace ipusim::workloads {

namespace {

/// Rows whose numbers are constants of the program.
class KnownRowsLowering : public RowsLowering {
 public:
  KnownRowsLowering(RowNumbers numbers, NodeSite site)
      : RowsLowering(std::move(site)), numbers_(std::move(numbers)) {}

 protected:
  Tensor indices() { return addRowIndices(site_.graph, site_.machine, numbers_, step("indices")); }
  [[nodiscard]] std::uint64_t count() const { return numbers_.count; }
  /// The operand as a table of which `indices` rows are looked up at once.
  [[nodiscard]] TableOfNode tableOf(std::uint64_t indices) const {
    const TensorType& table = site_.types[0];
    return {table.type, table.shape[0], table.shape[1], indices};
  }

 private:
  RowNumbers numbers_;
};

/// Looks up rows of a table that lies as planned for look-ups of `indices` rows at once.
class KnownLookUpLowering : public KnownRowsLowering {
 public:
  KnownLookUpLowering(std::uint64_t indices, RowNumbers numbers, NodeSite site)
      : KnownRowsLowering(std::move(numbers), std::move(site)),
        plan_(lookUpPlan(site_, tableOf(indices))) {}

  std::optional<Tensor> place(std::size_t /*operand*/,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    return addTable(site_.graph, plan_, {step("table"), site_.sources});
  }

 protected:
  [[nodiscard]] const EmbeddingPlan& plan() const { return plan_; }

 private:
  EmbeddingPlan plan_;
};

class LookUpLowering final : public KnownLookUpLowering {
 public:
  LookUpLowering(const RowNumbers& numbers, NodeSite site)
      : KnownLookUpLowering(numbers.count, numbers, std::move(site)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor found = gatherRows(site_.graph, site_.machine, {plan(), operands[0], indices()},
                                    step("gather"), program);
    return {kept(simplest(found), program)};
  }

 private:
  /// Elements that were looked up one by one are a vector in pieces by tile. As a whole variable
  /// they are one piece.
  [[nodiscard]] Tensor simplest(const Tensor& found) const {
    std::uint64_t next = 0;
    for (const Section& section : found.view()) {
      if (section.begin() != next || section.end() != next + section.elements()) return found;
      next = section.end();
    }
    const Tensor whole = storageOf(site_.graph, found);
    return whole.elements() == found.elements() ? whole.reshape(found.shape()) : found;
  }
};

class LookUpGradientLowering final : public KnownRowsLowering {
 public:
  using KnownRowsLowering::KnownRowsLowering;

  /// Rows of one element are a vector: where a product left them, each may be a piece of its own.
  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const bool is_vector = operands[0].shape()[1] == 1;
    const Tensor rows = is_vector ? consecutiveRows(operands[0], "rows", program) : operands[0];
    const EmbeddingPlan plan =
        updatePlan(site_, {rows.type(), site_.result.front(), rows.shape()[1], count()});
    return {scatterAddRows(site_.graph, site_.machine, {plan, rows, indices()},
                           {step("scatter"), site_.lifetime}, program)};
  }
};

class BagsLowering final : public KnownLookUpLowering {
 public:
  BagsLowering(const Bags& bags, const RowNumbers& numbers, NodeSite site)
      : KnownLookUpLowering(bags.atOnce(), numbers, std::move(site)), bags_(bags) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor table =
        arrangeTable(site_.graph, plan(), {operands[0], bags_.rows}, step("products"), program);
    BagSteps steps(site_.graph, site_.machine, bags_, indices(), site_.name, program);
    return {kept(steps.sums(plan(), table), program)};
  }

 private:
  Bags bags_;
};

class BagsGradientLowering final : public KnownRowsLowering {
 public:
  BagsGradientLowering(const Bags& bags, RowNumbers numbers, NodeSite site)
      : KnownRowsLowering(std::move(numbers), std::move(site)), bags_(bags) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor sums = consecutiveRows(operands.front(), "gradient", program);
    const EmbeddingPlan plan =
        updatePlan(site_, {sums.type(), bags_.rows, sums.shape()[1], bags_.atOnce()});
    BagSteps steps(site_.graph, site_.machine, bags_, indices(), site_.name, program);
    return {kept(consecutiveRows(steps.gradient(plan, sums), "productGradient", program), program)};
  }

 private:
  Bags bags_;
};

/// The rows that are looked up, and the bags that sum them. Without bags each row is a result.
struct KnownRows {
  RowNumbers numbers;
  std::optional<Bags> bags;
  std::uint64_t below;  ///< what the numbers are below

  [[nodiscard]] std::uint64_t results() const { return bags ? bags->count : numbers.count; }
  /// The result that takes a row.
  [[nodiscard]] std::uint64_t resultOf(std::uint64_t row) const {
    if (!bags) return row;
    return bags->sum == BagSum::Bags ? row / bags->size : row % bags->count;
  }
  [[nodiscard]] std::string kind() const { return bags ? "bags" : "look_up"; }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const {
    if (!bags) return std::make_unique<LookUpLowering>(numbers, std::move(site));
    return std::make_unique<BagsLowering>(*bags, numbers, std::move(site));
  }
  [[nodiscard]] std::unique_ptr<NodeLowering> gradientLowering(NodeSite site) const {
    if (!bags) return std::make_unique<LookUpGradientLowering>(numbers, std::move(site));
    return std::make_unique<BagsGradientLowering>(*bags, numbers, std::move(site));
  }
};

Flops sumFlops(const KnownRows& rows, std::uint64_t columns) {
  return Flops((rows.numbers.count - rows.results()) * columns);
}

/// The sums of the gradients of all uses of a row of the table.
class RowsGradient final : public Operation {
 public:
  RowsGradient(KnownRows rows, std::uint64_t count) : rows_(std::move(rows)), count_(count) {}
  [[nodiscard]] std::string kind() const override { return rows_.kind() + "_gradient"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    return {{{count_, operands[0].shape[1]}, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return Flops(rows_.numbers.count * operands[0].shape[1]);
  }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return rows_.gradientLowering(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const std::uint64_t columns = operands[0].type.shape[1];
    TensorValues table(count_ * columns, 0);
    for (std::size_t row = 0; row < rows_.numbers.count; ++row) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        table[rows_.numbers.at(row) * columns + c] +=
            operands[0].values[rows_.resultOf(row) * columns + c];
      }
    }
    return {std::move(table)};
  }

 private:
  KnownRows rows_;
  std::uint64_t count_;  ///< rows of the table
};

class Rows final : public Operation {
 public:
  explicit Rows(KnownRows rows) : rows_(std::move(rows)) {}
  [[nodiscard]] std::string kind() const override { return rows_.kind(); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    const Shape& table = operands[0].shape;
    if (table.size() != 2) throw OperandError("a table (rows, columns)", textOf(table));
    if (rows_.below > table[0]) {
      throw OperandError(fmt::format("a table of at least {} rows", rows_.below), textOf(table));
    }
    return {{{rows_.results(), table[1]}, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return sumFlops(rows_, operands[0].shape[1]);
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const std::uint64_t count = site.operandType(0).shape[0];
    return {site.graph.add(site.name, std::make_shared<RowsGradient>(rows_, count),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return rows_.lowering(std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const std::uint64_t columns = operands[0].type.shape[1];
    TensorValues result(rows_.results() * columns, 0);
    for (std::size_t row = 0; row < rows_.numbers.count; ++row) {
      for (std::uint64_t c = 0; c < columns; ++c) {
        result[rows_.resultOf(row) * columns + c] +=
            operands[0].values[rows_.numbers.at(row) * columns + c];
      }
    }
    return {std::move(result)};
  }

 private:
  KnownRows rows_;
};

/// One more than the largest number.
std::uint64_t oneAbove(const std::vector<std::uint64_t>& numbers) {
  const auto largest = std::max_element(numbers.begin(), numbers.end());
  return largest == numbers.end() ? 0 : *largest + 1;
}

}  // namespace

OperationPointer lookUpRows(const RowNumbers& numbers, std::uint64_t below) {
  return std::make_shared<Rows>(KnownRows{numbers, std::nullopt, below});
}

OperationPointer lookUpRows(const std::vector<std::uint64_t>& numbers) {
  return lookUpRows(rowNumbers(numbers), oneAbove(numbers));
}

OperationPointer sumBags(const Bags& bags, const std::vector<std::uint64_t>& numbers) {
  return std::make_shared<Rows>(KnownRows{rowNumbers(numbers), bags, oneAbove(numbers)});
}

}  // namespace ipusim::workloads
