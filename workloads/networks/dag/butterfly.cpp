// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/butterfly.h"

#include <fmt/format.h>

#include "workloads/networks/dag/network_graph.h"
#include "workloads/networks/dag/rows_lowering.h"
#include "workloads/networks/dag/structured.h"

namespace ipusim::workloads {

namespace {

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

// Two products and a sum per element.
constexpr std::uint64_t kFlopsOfStage = 3;

std::uint64_t rowsOf(const TensorType& x) {
  return elementsOf(x.shape) / x.shape.back();
}

/// What the operands of a node leave open about its stages.
std::string settingsOf(const ButterflyShape& shape) {
  const bool is_tied = shape.twiddles == Twiddles::Tied;
  const bool is_increasing = shape.order == StageOrder::Increasing;
  return fmt::format("{} {}", is_tied, is_increasing);
}

/// (dtwiddles, dx) or (dtwiddles) from (twiddles, dy, x, rows of the later stages...).
class ButterflyGradient final : public Operation {
 public:
  ButterflyGradient(const ButterflyShape& shape, bool wants_rows)
      : shape_(shape), wants_rows_(wants_rows) {}
  [[nodiscard]] std::string kind() const override { return "butterfly_gradient"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {}", settingsOf(shape_), wants_rows_);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2 + stridesOf(shape_).size());
    TensorTypes results{operands[0]};
    if (wants_rows_) results.push_back(operands[1]);
    return results;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    const std::uint64_t stages = stridesOf(shape_).size();
    const std::uint64_t of_rows = stages - (wants_rows_ ? 0 : 1);
    return elementwiseFlops(operands[1], kFlopsOfStage * (stages + of_rows));
  }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return std::make_unique<ButterflyGradientLowering>(shape_, wants_rows_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const TensorValues& twiddles = operands[0].values;
    TensorValues slopes(twiddles.size(), 0);
    TensorValues gradient = operands[1].values;
    const std::vector<std::uint64_t> strides = stridesOf(shape_);
    for (std::size_t k = strides.size(); k-- > 0;) {
      const TensorValues& rows = operands[2 + k].values;
      forEachPair(shape_, strides[k], rowsOf(operands[1].type), [&](const ButterflyPair& pair) {
        const double* t = twiddles.data() + pair.twiddle;
        double* slope = slopes.data() + pair.twiddle;
        double& low = gradient[pair.low];
        double& high = gradient[pair.high];
        slope[0] += low * rows[pair.low];
        slope[1] += low * rows[pair.high];
        slope[2] += high * rows[pair.low];
        slope[3] += high * rows[pair.high];
        const double of_low = t[0] * low + t[2] * high;
        high = t[1] * low + t[3] * high;
        low = of_low;
      });
    }
    std::vector<TensorValues> results{std::move(slopes)};
    if (wants_rows_) results.push_back(std::move(gradient));
    return results;
  }

 private:
  ButterflyShape shape_;
  bool wants_rows_;
};

class Butterfly final : public Operation {
 public:
  explicit Butterfly(const ButterflyShape& shape) : shape_(shape) {}
  [[nodiscard]] std::string kind() const override { return "butterfly"; }
  [[nodiscard]] std::optional<std::string> settings() const override { return settingsOf(shape_); }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 2);
    expectOneType(operands, 0, 2);
    const TensorType& x = operands[0];
    if (x.shape.empty() || x.shape.back() != shape_.features) {
      throw OperandError(fmt::format("{} in the last dimension", shape_.features), textOf(x.shape));
    }
    if (operands[1].shape != twiddleShape(shape_)) {
      throw OperandError("twiddles of the shape " + textOf(twiddleShape(shape_)),
                         textOf(operands[1].shape));
    }
    TensorTypes results(stridesOf(shape_).size(), {{rowsOf(x), shape_.features}, x.type});
    results.front() = x;
    return results;
  }
  [[nodiscard]] Flops flops(const TensorTypes& operands) const override {
    return elementwiseFlops(operands[0], kFlopsOfStage * stridesOf(shape_).size());
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    std::vector<NetworkTensorId> operands{site.operands[1], *site.result_gradients.front(),
                                          site.operands[0]};
    operands.insert(operands.end(), site.results.begin() + 1, site.results.end());
    const std::vector<NetworkTensorId> found = site.graph.addNode(
        site.name, std::make_shared<ButterflyGradient>(shape_, site.wanted[0]), operands);
    OperandGradients gradients(2);
    if (site.wanted[0]) gradients[0] = found[1];
    gradients[1] = found[0];
    return gradients;
  }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return std::make_unique<ButterflyLowering>(shape_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    TensorValues rows = operands[0].values;
    std::vector<TensorValues> results(1);
    for (const std::uint64_t stride : stridesOf(shape_)) {
      applyStage(shape_, stride, operands[1].values, rows);
      results.push_back(rows);
    }
    results.front() = std::move(rows);
    results.pop_back();
    return results;
  }

 private:
  ButterflyShape shape_;
};

}  // namespace

OperationPointer butterflyStages(const ButterflyShape& shape) {
  return std::make_shared<Butterfly>(shape);
}

}  // namespace ipusim::workloads
