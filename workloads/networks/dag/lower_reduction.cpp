// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

models::ReduceOp operatorOf(ReductionFunction function) {
  switch (function) {
    case ReductionFunction::Maximum:
      return models::ReduceOp::Maximum;
    case ReductionFunction::Minimum:
      return models::ReduceOp::Minimum;
    default:
      return models::ReduceOp::Add;
  }
}

class ReductionLowering final : public NodeLowering {
 public:
  ReductionLowering(ReductionFunction function, Shape kept, NodeSite site)
      : NodeLowering(std::move(site)), function_(function), kept_(std::move(kept)) {
    const Shape& shape = site_.types.front().shape;
    kept_.insert(kept_.begin(), shape.size() - kept_.size(), 1);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor rows =
        consecutive(graph, site_.machine, rowsOf(operands.front()), step("rows"), program);
    const Tensor reduced = reduceRows(graph, site_.machine, {operatorOf(function_), rows},
                                      {site_.name, site_.lifetime}, program);
    if (function_ == ReductionFunction::Mean) {
      Elementwise(graph, site_.machine, program)
          .scaleInPlace(reduced, 1 / static_cast<double>(rows.shape()[0]), step("mean"));
    }
    return {reduced.reshape(site_.result)};
  }

 private:
  /// (elements that are summed, sums).
  [[nodiscard]] Tensor rowsOf(const Tensor& tensor) const {
    std::vector<std::size_t> order;
    std::uint64_t summed = 1;
    for (std::size_t d = 0; d < kept_.size(); ++d) {
      if (!isReduced(d)) continue;
      order.push_back(d);
      summed *= tensor.shape()[d];
    }
    for (std::size_t d = 0; d < kept_.size(); ++d) {
      if (!isReduced(d)) order.push_back(d);
    }
    return tensor.dimShuffle(order).reshape({summed, tensor.elements() / summed});
  }

  [[nodiscard]] bool isReduced(std::size_t d) const {
    return kept_[d] == 1 && site_.types.front().shape[d] != 1;
  }

  ReductionFunction function_;
  Shape kept_;  ///< as many dimensions as the operand
};

/// dy where x equals its extreme, and 0 elsewhere, from (x, y, dy).
class ExtremeGradientLowering final : public NodeLowering {
 public:
  ExtremeGradientLowering(Shape kept, NodeSite site)
      : NodeLowering(std::move(site)), kept_(std::move(kept)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor x = inOneVariable(operands[0], "x", program);
    const auto like_x = [&](const Tensor& operand, const char* part) {
      const Tensor repeated = broadcastView(operand.reshape(kept_), site_.result);
      return storageOf(graph, alike(x, repeated, part, program));
    };
    Elementwise ops(graph, site_.machine, program);
    const Tensor is_extreme =
        ops.binary(models::BinaryOp::Equal, storageOf(graph, x), like_x(operands[1], "y"),
                   step("Equal"), Lifetime::Temporary);
    const Tensor dx = ops.cast(is_extreme, x.type(), step("Cast"), site_.lifetime);
    ops.binaryInPlace(models::BinaryOp::Multiply, dx, like_x(operands[2], "gradient"),
                      step("Multiply"));
    return {resultIn(dx, x)};
  }

 private:
  Shape kept_;
};

}  // namespace

NodeLoweringPointer lowerReduction(ReductionFunction function, const Shape& kept, NodeSite site) {
  return std::make_unique<ReductionLowering>(function, kept, std::move(site));
}

NodeLoweringPointer lowerExtremeGradient(const Shape& kept, NodeSite site) {
  return std::make_unique<ExtremeGradientLowering>(kept, std::move(site));
}

}  // namespace ipusim::workloads
