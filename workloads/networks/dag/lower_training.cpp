// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/dag/lowerings.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/ops/training/sgd.h"
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

/// Momentum, as the framework executes it.
class MomentumLowering final : public NodeLowering {
 public:
  MomentumLowering(const Optimiser& optimiser, NodeSite site)
      : NodeLowering(std::move(site)), rates_{optimiser.rate, optimiser.momentum} {}

  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& known) override {
    if (operand != kVelocity || !known[kParameter]) return std::nullopt;
    return addVelocity(site_.graph, *known[kParameter], step("velocity"));
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    addSgdStep(site_.graph, site_.machine,
               {operands[kParameter], operands[kVelocity], operands[kGradient], rates_}, site_.name,
               program);
    return {operands[kParameter], operands[kVelocity]};
  }

 private:
  static constexpr std::size_t kParameter = 0;
  static constexpr std::size_t kGradient = 1;
  static constexpr std::size_t kVelocity = 2;

  SgdRates rates_;
};

class SgdLowering final : public NodeLowering {
 public:
  SgdLowering(double rate, NodeSite site) : NodeLowering(std::move(site)), rate_(rate) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor gradient = alike(operands[0], operands[1], "gradient/arranged", program);
    Elementwise(graph, site_.machine, program)
        .scaledAdd(storageOf(graph, operands[0]), storageOf(graph, gradient), -rate_, site_.name);
    return {operands[0]};
  }

 private:
  double rate_;
};

class ViewLowering final : public NodeLowering {
 public:
  ViewLowering(MakeView make, NodeSite site)
      : NodeLowering(std::move(site)), make_(std::move(make)) {}

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& /*program*/) override {
    return {make_(operands)};
  }

 private:
  MakeView make_;
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

NodeLoweringPointer lowerUpdate(const Optimiser& optimiser, NodeSite site) {
  if (optimiser.weight_decay != 0) {
    throw NotLowered(site.name + ": a weight decay has no steps for tiles");
  }
  if (optimiser.rule == OptimiserRule::Sgd) {
    return std::make_unique<SgdLowering>(optimiser.rate, std::move(site));
  }
  if (optimiser.rule == OptimiserRule::Momentum) {
    return std::make_unique<MomentumLowering>(optimiser, std::move(site));
  }
  throw NotLowered(site.name + ": the optimiser " + wordOf(optimiser.rule, kOptimiserRules) +
                   " has no steps for tiles");
}

NodeLoweringPointer lowerView(MakeView make, NodeSite site) {
  return std::make_unique<ViewLowering>(std::move(make), std::move(site));
}

Tensor broadcastView(const Tensor& tensor, const Shape& shape) {
  Shape padded(shape.size() - tensor.shape().size(), 1);
  padded.insert(padded.end(), tensor.shape().begin(), tensor.shape().end());
  Tensor view = tensor.reshape(padded);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (padded[d] != shape[d]) view = view.broadcast(shape[d], d);
  }
  return view;
}

}  // namespace ipusim::workloads
