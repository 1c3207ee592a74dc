// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/tables/take.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/lowering/view_lowering.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/networks/operations/tables/embedding.h"

namespace ipusim::workloads {

namespace {

/// Consecutive indices, or one that is repeated.
struct IndexRun {
  std::uint64_t begin;
  std::uint64_t count;
  bool is_repeated;
};

std::vector<IndexRun> runsOf(const std::vector<std::uint64_t>& indices) {
  std::vector<IndexRun> runs;
  for (const std::uint64_t index : indices) {
    if (!runs.empty()) {
      IndexRun& last = runs.back();
      if (index == last.begin && (last.is_repeated || last.count == 1)) {
        last.is_repeated = true;
        ++last.count;
        continue;
      }
      if (!last.is_repeated && index == last.begin + last.count) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({index, 1, false});
  }
  return runs;
}

Tensor takenView(const Tensor& x, std::size_t axis, const std::vector<std::uint64_t>& indices) {
  std::vector<Tensor> parts;
  for (const IndexRun& run : runsOf(indices)) {
    const std::uint64_t taken = run.is_repeated ? 1 : run.count;
    const Tensor slice = x.slice(run.begin, run.begin + taken, axis);
    parts.push_back(run.is_repeated ? slice.broadcast(run.count, axis) : slice);
  }
  return parts.size() == 1 ? parts.front() : concat(parts, axis);
}

/// The operand with dimension `axis` first, or the other way back.
NetworkTensorId axisFirst(const GradientSite& site, NetworkTensorId tensor, std::size_t axis,
                          bool back) {
  if (axis == 0) return tensor;
  const std::size_t rank = site.graph.shapeOf(tensor).size();
  std::vector<std::size_t> order(rank);
  std::iota(order.begin(), order.end(), 0U);
  const auto first = order.begin();
  const auto place = first + static_cast<std::ptrdiff_t>(axis);
  if (back) {
    std::rotate(first, first + 1, place + 1);
  } else {
    std::rotate(first, place, place + 1);
  }
  return site.graph.add(site.name + (back ? "/back" : "/first"), transpose(order), {tensor});
}

class Take final : public Operation {
 public:
  Take(std::size_t axis, std::vector<std::uint64_t> indices)
      : axis_(axis), indices_(std::move(indices)) {}
  [[nodiscard]] std::string kind() const override { return "take"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{}: {}", axis_, fmt::join(indices_, " "));
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    Shape shape = operands[0].shape;
    expectAxis(shape, axis_);
    if (indices_.empty()) throw OperandError("at least one index", "none");
    const std::uint64_t most = *std::max_element(indices_.begin(), indices_.end());
    if (most >= shape[axis_]) {
      throw OperandError(fmt::format("indices below {}", shape[axis_]), fmt::format("{}", most));
    }
    shape[axis_] = indices_.size();
    return {{shape, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] bool takesWhole() const override { return true; }
  /// Each element sums the gradients of all places that it was taken to.
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const NetworkTensorId dy = axisFirst(site, *site.result_gradients.front(), axis_, false);
    const NetworkTensorId indices =
        site.graph.addConstant(site.name + "/indices", {{indices_.size()}, ElementType::UInt32},
                               TensorValues(indices_.begin(), indices_.end()));
    const NetworkTensorId sums = site.graph.add(
        site.name + "/sums", sumByIndex(site.operandType(0).shape[axis_]), {indices, dy});
    return {axisFirst(site, sums, axis_, true)};
  }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return lowerView(
        [axis = axis_, indices = indices_](const std::vector<Tensor>& operands) {
          return takenView(operands.front(), axis, indices);
        },
        std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const AxisView view = viewAround(operands[0].type.shape, axis_);
    TensorValues result;
    for (std::uint64_t o = 0; o < view.outer; ++o) {
      for (const std::uint64_t index : indices_) {
        const auto from = operands[0].values.begin();
        result.insert(result.end(), from + static_cast<std::ptrdiff_t>(view.at(o, index, 0)),
                      from + static_cast<std::ptrdiff_t>(view.at(o, index + 1, 0)));
      }
    }
    return {std::move(result)};
  }

 private:
  std::size_t axis_;
  std::vector<std::uint64_t> indices_;
};

}  // namespace

OperationPointer take(std::size_t axis, std::vector<std::uint64_t> indices) {
  return std::make_shared<Take>(axis, std::move(indices));
}

}  // namespace ipusim::workloads
