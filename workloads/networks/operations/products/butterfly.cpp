// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/rows_lowering.h"
#include "workloads/networks/operations/products/structured.h"
#include "workloads/ops/butterfly/fused_butterfly.h"

namespace ipusim::workloads {

namespace {

/// Two elements of the rows that a stage combines, and the first of their four twiddles.
struct ButterflyPair {
  std::uint64_t low;
  std::uint64_t high;
  std::uint64_t twiddle;
};

/// Calls `use` for all pairs of the stage of `stride` on `rows` rows.
template <typename Use>
void forEachPair(const ButterflyShape& shape, std::uint64_t stride, std::uint64_t rows,
                 const Use& use) {
  const std::uint64_t first = firstTwiddle(shape, stride);
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t q = 0; q < shape.features / (2 * stride); ++q) {
      const std::uint64_t set = shape.twiddles == Twiddles::Tied ? 0 : q;
      for (std::uint64_t j = 0; j < stride; ++j) {
        const std::uint64_t low = r * shape.features + q * 2 * stride + j;
        use(ButterflyPair{low, low + stride, first + (set * stride + j) * 4});
      }
    }
  }
}

/// Computes the stage of `stride` in place on row-major rows.
void applyStage(const ButterflyShape& shape, std::uint64_t stride, const TensorValues& twiddles,
                TensorValues& rows) {
  forEachPair(shape, stride, rows.size() / shape.features, [&](const ButterflyPair& pair) {
    const double* t = twiddles.data() + pair.twiddle;
    const double sum = t[0] * rows[pair.low] + t[1] * rows[pair.high];
    rows[pair.high] = t[2] * rows[pair.low] + t[3] * rows[pair.high];
    rows[pair.low] = sum;
  });
}

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

/// (x, twiddles) with x where the stages want it.
class FusedButterflyLowering final : public NodeLowering {
 public:
  FusedButterflyLowering(const ButterflyShape& shape, NodeSite site)
      : NodeLowering(std::move(site)),
        shape_(shape),
        grid_(planButterfly(site_.machine, shape, rowsOf(site_.types[0]), site_.types[0].type)) {}

  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    if (operand != 0) return std::nullopt;
    is_placed_ = true;
    return addButterflyRows(site_.graph, grid_, site_.types[0].type, {step("x"), site_.sources})
        .reshape(site_.types[0].shape);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    if (!is_placed_) throw notLowered("a fused butterfly of what is no source of the network");
    const Tensor rows = operands[0].reshape({rowsOf(site_.types[0]), shape_.features});
    return {addFusedButterfly(site_.graph, grid_, {shape_, rows, operands[1]},
                              {site_.name, site_.lifetime}, program)
                .reshape(site_.result)};
  }

 private:
  ButterflyShape shape_;
  ButterflyGrid grid_;
  bool is_placed_ = false;
};

class Butterfly : public Operation {
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

 protected:
  [[nodiscard]] const ButterflyShape& shape() const { return shape_; }

 private:
  ButterflyShape shape_;
};

/// The stages in one operation, of which no rows between them are left.
class FusedButterfly final : public Butterfly {
 public:
  using Butterfly::Butterfly;
  [[nodiscard]] std::string kind() const override { return "fused_butterfly"; }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    return {Butterfly::infer(operands).front()};
  }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    return Operation::addGradient(site);
  }
  [[nodiscard]] std::unique_ptr<NodeLowering> lowering(NodeSite site) const override {
    return std::make_unique<FusedButterflyLowering>(shape(), std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    return {Butterfly::compute(operands).front()};
  }
};

}  // namespace

OperationPointer butterflyStages(const ButterflyShape& shape) {
  return std::make_shared<Butterfly>(shape);
}

OperationPointer fusedButterfly(const ButterflyShape& shape) {
  return std::make_shared<FusedButterfly>(shape);
}

}  // namespace ipusim::workloads
