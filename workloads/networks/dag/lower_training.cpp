// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/ops/training/softmax_loss.h"

namespace ipusim::workloads {

namespace {

class CrossEntropyLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor& logits = operands[0];
    const std::uint64_t classes = logits.shape().back();
    const std::uint64_t rows = logits.elements() / classes;
    const SoftmaxLoss loss = addSoftmaxLoss(
        site_.graph, site_.machine, {logits.reshape({rows, classes}), operands[1].reshape({rows})},
        site_.name, program);
    return {loss.loss, loss.gradient.reshape(logits.shape())};
  }
};

/// a - b, which lies like `a`.
class Difference {
 public:
  Difference(Graph& graph, const Architecture& machine, Program& program)
      : graph_(graph), ops_(graph, machine, program) {}

  /// The storage of the difference of operands that lie alike.
  Tensor of(const Tensor& a, const Tensor& b, const std::string& name) {
    return ops_.binary(models::BinaryOp::Subtract, storageOf(graph_, a), storageOf(graph_, b), name,
                       Lifetime::Temporary);
  }
  Elementwise& operations() { return ops_; }

 private:
  Graph& graph_;
  Elementwise ops_;
};

class SquaredErrorLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor a = inOneVariable(operands[0], "result", program);
    Difference difference(site_.graph, site_.machine, program);
    const Tensor storage =
        difference.of(a, alike(a, operands[1], "target", program), step("Subtract"));
    Elementwise& ops = difference.operations();
    const Tensor squares = ops.binary(models::BinaryOp::Multiply, storage, storage,
                                      step("Multiply"), Lifetime::Temporary);
    const Tensor column =
        consecutive(site_.graph, site_.machine,
                    a.inVariable(squares.pieces().front().variable).reshape({a.elements(), 1}),
                    step("squares"), program);
    Tensor loss =
        sumRows(site_.graph, site_.machine, column, {step("mean"), Lifetime::Always}, program);
    ops.scaleInPlace(loss, 1 / static_cast<double>(a.elements()), step("mean/Multiply"));
    return {loss};
  }
};

class SquaredErrorGradientLowering final : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    const Tensor a = inOneVariable(operands[0], "result", program);
    Difference difference(site_.graph, site_.machine, program);
    const Tensor storage =
        difference.of(a, alike(a, operands[1], "target", program), step("Subtract"));
    difference.operations().scaleInPlace(storage, 2 / static_cast<double>(a.elements()),
                                         step("Multiply"));
    return {a.inVariable(storage.pieces().front().variable)};
  }
};

}  // namespace

NodeLoweringPointer lowerCrossEntropy(NodeSite site) {
  return std::make_unique<CrossEntropyLowering>(std::move(site));
}

NodeLoweringPointer lowerSquaredError(NodeSite site) {
  return std::make_unique<SquaredErrorLowering>(std::move(site));
}

NodeLoweringPointer lowerSquaredErrorGradient(NodeSite site) {
  return std::make_unique<SquaredErrorGradientLowering>(std::move(site));
}

}  // namespace ipusim::workloads
