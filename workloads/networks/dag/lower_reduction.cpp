// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

class ReductionLowering final : public NodeLowering {
 public:
  ReductionLowering(ReductionFunction function, Shape kept, NodeSite site)
      : NodeLowering(std::move(site)), function_(function), kept_(std::move(kept)) {
    if (function == ReductionFunction::Maximum) throw notLowered("a maximum over dimensions");
    const Shape& shape = site_.types.front().shape;
    kept_.insert(kept_.begin(), shape.size() - kept_.size(), 1);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor rows =
        consecutive(graph, site_.machine, rowsOf(operands.front()), step("rows"), program);
    const Tensor sums = sumRows(graph, site_.machine, rows, {site_.name, site_.lifetime}, program);
    if (function_ == ReductionFunction::Mean) {
      Elementwise(graph, site_.machine, program)
          .scaleInPlace(sums, 1 / static_cast<double>(rows.shape()[0]), step("mean"));
    }
    return {sums.reshape(site_.result)};
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

}  // namespace

NodeLoweringPointer lowerReduction(ReductionFunction function, const Shape& kept, NodeSite site) {
  return std::make_unique<ReductionLowering>(function, kept, std::move(site));
}

}  // namespace ipusim::workloads
