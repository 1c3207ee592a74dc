// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/hadamard/hadamard.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

namespace {

Tensor rowsOf(const Tensor& tensor) {
  const std::uint64_t columns = tensor.shape().back();
  return tensor.reshape({tensor.elements() / columns, columns});
}

/// The steps take rows of consecutive elements.
class RowsLowering : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

 protected:
  Tensor consecutiveRows(const Tensor& tensor, const std::string& part, Program& program) {
    return rowsOf(consecutive(site_.graph, site_.machine, tensor, step(part), program));
  }
};

class ButterflyLowering final : public RowsLowering {
 public:
  ButterflyLowering(const ButterflyShape& shape, NodeSite site)
      : RowsLowering(std::move(site)), shape_(shape) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor x = consecutiveRows(operands[0], "rows", program);
    const Tensor twiddles =
        consecutive(site_.graph, site_.machine, operands[1], step("twiddles"), program);
    const ButterflyPass pass = addButterfly(site_.graph, site_.machine, {shape_, x, twiddles},
                                            {site_.name, site_.lifetime}, program);
    std::vector<Tensor> results = pass.stage_rows;
    results.front() = pass.result.reshape(site_.result);
    return results;
  }

 private:
  ButterflyShape shape_;
};

class ButterflyGradientLowering final : public RowsLowering {
 public:
  ButterflyGradientLowering(const ButterflyShape& shape, bool wants_rows, NodeSite site)
      : RowsLowering(std::move(site)), shape_(shape), wants_rows_(wants_rows) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor twiddles =
        consecutive(site_.graph, site_.machine, operands[0], step("twiddles"), program);
    const Tensor gradient = consecutiveRows(operands[1], "gradient", program);
    std::vector<Tensor> rows{consecutiveRows(operands[2], "rows", program)};
    rows.insert(rows.end(), operands.begin() + 3, operands.end());
    const ButterflyGradients found =
        addButterflyGradient(site_.graph, site_.machine,
                             {shape_, rows, twiddles, gradient, wants_rows_}, site_.name, program);
    std::vector<Tensor> results{found.twiddles};
    if (wants_rows_) results.push_back(found.rows.reshape(operands[1].shape()));
    return results;
  }

 private:
  ButterflyShape shape_;
  bool wants_rows_;
};

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

/// Rows whose numbers are constants of the program.
class KnownRowsLowering : public RowsLowering {
 public:
  KnownRowsLowering(RowNumbers numbers, NodeSite site)
      : RowsLowering(std::move(site)), numbers_(std::move(numbers)) {}

  /// The table lies where its rows are looked up.
  std::optional<Tensor> place(std::size_t /*operand*/,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    const TensorType& table = site_.types[0];
    return addTable(site_.graph, site_.machine, {table.type, table.shape[0], table.shape[1]},
                    {step("table"), Lifetime::Always});
  }

 protected:
  Tensor indices() { return addRowIndices(site_.graph, site_.machine, numbers_, step("indices")); }

 private:
  RowNumbers numbers_;
};

class LookUpLowering final : public KnownRowsLowering {
 public:
  using KnownRowsLowering::KnownRowsLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor found =
        gatherRows(site_.graph, site_.machine, {operands[0], indices()}, step("gather"), program);
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

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    return {scatterAddRows(site_.graph, site_.machine,
                           {operands[0], indices(), site_.result.front()},
                           {step("scatter"), site_.lifetime}, program)};
  }
};

class BagsLowering final : public KnownRowsLowering {
 public:
  BagsLowering(const Bags& bags, RowNumbers numbers, NodeSite site)
      : KnownRowsLowering(std::move(numbers), std::move(site)), bags_(bags) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor table = arrangeTable(site_.graph, site_.machine, {operands[0], bags_.rows},
                                      step("products"), program);
    BagSteps steps(site_.graph, site_.machine, bags_, indices(), site_.name, program);
    return {kept(steps.sums(table), program)};
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
    BagSteps steps(site_.graph, site_.machine, bags_, indices(), site_.name, program);
    return {kept(consecutiveRows(steps.gradient(sums), "productGradient", program), program)};
  }

 private:
  Bags bags_;
};

}  // namespace

NodeLoweringPointer lowerButterfly(const ButterflyShape& shape, NodeSite site) {
  return std::make_unique<ButterflyLowering>(shape, std::move(site));
}

NodeLoweringPointer lowerButterflyGradient(const ButterflyShape& shape, bool wants_rows,
                                           NodeSite site) {
  return std::make_unique<ButterflyGradientLowering>(shape, wants_rows, std::move(site));
}

NodeLoweringPointer lowerHadamard(NetworkPass pass, NodeSite site) {
  return std::make_unique<HadamardLowering>(pass, std::move(site));
}

NodeLoweringPointer lowerLookUp(const RowNumbers& numbers, NodeSite site) {
  return std::make_unique<LookUpLowering>(numbers, std::move(site));
}

NodeLoweringPointer lowerLookUpGradient(const RowNumbers& numbers, NodeSite site) {
  return std::make_unique<LookUpGradientLowering>(numbers, std::move(site));
}

NodeLoweringPointer lowerBags(const Bags& bags, const RowNumbers& numbers, NodeSite site) {
  return std::make_unique<BagsLowering>(bags, numbers, std::move(site));
}

NodeLoweringPointer lowerBagsGradient(const Bags& bags, const RowNumbers& numbers, NodeSite site) {
  return std::make_unique<BagsGradientLowering>(bags, numbers, std::move(site));
}

}  // namespace ipusim::workloads
