// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/ops/random/dropout.h"

namespace ipusim::workloads {

namespace {

class EmbeddingLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  /// The table lies where its rows are looked up.
  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& /*known*/) override {
    if (operand != 0) return std::nullopt;
    const TensorType& table = site_.types[0];
    const std::uint64_t rows = table.shape.front();
    return addTable(site_.graph, site_.machine, {table.type, rows, elementsOf(table.shape) / rows},
                    {site_.name, Lifetime::Always})
        .reshape(table.shape);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const std::uint64_t rows = operands[0].shape().front();
    const Tensor table = operands[0].reshape({rows, operands[0].elements() / rows});
    const Tensor found =
        gatherRows(site_.graph, site_.machine, {table, flat(operands[1])}, site_.name, program);
    return {kept(found.reshape(site_.result), program)};
  }

 private:
  static Tensor flat(const Tensor& tensor) { return tensor.reshape({tensor.elements()}); }
};

class EmbeddingGradientLowering final : public NodeLowering {
 public:
  EmbeddingGradientLowering(std::uint64_t rows, NodeSite site)
      : NodeLowering(std::move(site)), rows_(rows) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor& indices = operands[0];
    const std::uint64_t count = indices.elements();
    const Tensor rows = operands[1].reshape({count, operands[1].elements() / count});
    const RowScatter scatter{rows, indices.reshape({count}), rows_};
    return {
        scatterAddRows(site_.graph, site_.machine, scatter, {site_.name, site_.lifetime}, program)
            .reshape(site_.result)};
  }

 private:
  std::uint64_t rows_;
};

class ConstantLowering final : public NodeLowering {
 public:
  ConstantLowering(ElementType type, double value, NodeSite site)
      : NodeLowering(std::move(site)), type_(type), value_(value) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& /*operands*/,
                            Program& /*program*/) override {
    Tensor constant = site_.graph.addConstant(type_, site_.result, value_, site_.name);
    site_.graph.mapLinearly(constant, site_.machine);
    return {constant};
  }

 private:
  ElementType type_;
  double value_;
};

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

/// The mask is what the dropout makes of ones. The vendor's library draws it again in the backward
/// pass instead, from the same seed.
class DropoutLowering final : public NodeLowering {
 public:
  DropoutLowering(const DropoutRule& rule, NodeSite site)
      : NodeLowering(std::move(site)), rule_(rule) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor x = consecutive(graph, site_.machine, operands.front(), step("x"), program);
    const Tensor flat = x.reshape({x.elements()});
    const Tensor y = addDropout(graph, rule_, flat, {site_.name, site_.lifetime}, program);
    const Tensor ones = graph.addConstant(x.type(), flat.shape(), 1, step("ones"));
    mapAlike(graph, flat, ones);
    const Tensor mask = addDropout(graph, rule_, ones, {step("mask")}, program);
    return {y.reshape(site_.result), mask.reshape(site_.result)};
  }

 private:
  DropoutRule rule_;
};

}  // namespace

NodeLoweringPointer lowerEmbedding(NodeSite site) {
  return std::make_unique<EmbeddingLowering>(std::move(site));
}

NodeLoweringPointer lowerEmbeddingGradient(std::uint64_t rows, NodeSite site) {
  return std::make_unique<EmbeddingGradientLowering>(rows, std::move(site));
}

NodeLoweringPointer lowerConstant(ElementType type, double value, NodeSite site) {
  return std::make_unique<ConstantLowering>(type, value, std::move(site));
}

NodeLoweringPointer lowerZeroPad(const AxisPadding& padding, NodeSite site) {
  return std::make_unique<ZeroPadLowering>(padding, std::move(site));
}

NodeLoweringPointer lowerDropout(const DropoutRule& rule, NodeSite site) {
  return std::make_unique<DropoutLowering>(rule, std::move(site));
}

}  // namespace ipusim::workloads
