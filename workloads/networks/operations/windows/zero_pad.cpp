// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "workloads/networks/graph/indexing.h"
#include "workloads/networks/graph/network_graph.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/networks/operations/shaping.h"

namespace ipusim::workloads {

namespace {

/// The operand between zeros that nobody writes.
class ZeroPadLowering final : public NodeLowering {
 public:
  ZeroPadLowering(const AxisPadding& padding, NodeSite site)
      : NodeLowering(std::move(site)), padding_(padding) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& /*program*/) override {
    std::vector<Tensor> parts;
    if (padding_.before > 0) parts.push_back(zeros(padding_.before, "before"));
    parts.push_back(operands.front());
    if (padding_.after > 0) parts.push_back(zeros(padding_.after, "after"));
    return {concat(parts, padding_.axis)};
  }

 private:
  Tensor zeros(std::uint64_t size, const char* part) {
    Shape shape = site_.result;
    shape[padding_.axis] = size;
    Tensor zero = site_.graph.addConstant(site_.types.front().type, shape, 0, step(part));
    site_.graph.mapLinearly(zero, site_.machine);
    return zero;
  }

  AxisPadding padding_;
};

class ZeroPad final : public Operation {
 public:
  explicit ZeroPad(const AxisPadding& padding) : padding_(padding) {}
  [[nodiscard]] std::string kind() const override { return "pad"; }
  [[nodiscard]] std::optional<std::string> settings() const override {
    return fmt::format("{} {} {}", padding_.axis, padding_.before, padding_.after);
  }
  [[nodiscard]] TensorTypes infer(const TensorTypes& operands) const override {
    expectOperands(operands, 1);
    Shape shape = operands[0].shape;
    expectAxis(shape, padding_.axis);
    shape[padding_.axis] += padding_.before + padding_.after;
    return {{shape, operands[0].type}};
  }
  [[nodiscard]] Flops flops(const TensorTypes& /*operands*/) const override { return Flops(0); }
  [[nodiscard]] OperandGradients addGradient(const GradientSite& site) const override {
    const std::uint64_t size = site.operandType(0).shape[padding_.axis];
    return {site.graph.add(site.name,
                           slice({padding_.axis, padding_.before, padding_.before + size}),
                           {*site.result_gradients.front()})};
  }
  [[nodiscard]] bool sharesMemory() const override { return true; }
  [[nodiscard]] bool takesWhole() const override { return true; }
  [[nodiscard]] NodeLoweringPointer lowering(NodeSite site) const override {
    return std::make_unique<ZeroPadLowering>(padding_, std::move(site));
  }
  [[nodiscard]] std::vector<TensorValues> compute(const NumberedTensors& operands) const override {
    const AxisView view = viewAround(operands[0].type.shape, padding_.axis);
    TensorValues result;
    for (std::uint64_t o = 0; o < view.outer; ++o) {
      result.resize(result.size() + padding_.before * view.inner, 0);
      const auto from = operands[0].values.begin();
      result.insert(result.end(), from + static_cast<std::ptrdiff_t>(view.at(o, 0, 0)),
                    from + static_cast<std::ptrdiff_t>(view.at(o + 1, 0, 0)));
      result.resize(result.size() + padding_.after * view.inner, 0);
    }
    return {std::move(result)};
  }

 private:
  AxisPadding padding_;
};

}  // namespace

OperationPointer zeroPad(const AxisPadding& padding) {
  return std::make_shared<ZeroPad>(padding);
}

}  // namespace ipusim::workloads
