// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/training/optimiser_lowering.h"

#include "workloads/ops/elementwise/bias.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

using models::BinaryOp;
using models::UnaryOp;

/// (parameter, gradient, states...). The states lie like the parameter.
class UpdateLowering : public NodeLowering {
 public:
  UpdateLowering(const Optimiser& optimiser, NodeSite site)
      : NodeLowering(std::move(site)), rule_(optimiser) {}

  std::optional<Tensor> place(std::size_t operand,
                              const std::vector<std::optional<Tensor>>& known) override {
    if (operand < kFirstState || !known[kParameter]) return std::nullopt;
    const Tensor& parameter = *known[kParameter];
    return addAlike(site_.graph, parameter, parameter.type(),
                    step(operand == kFirstState ? "velocity" : "square_velocity"),
                    Lifetime::Always);
  }

  std::vector<Tensor> lower(const std::vector<Tensor>& operands, Program& program) final {
    addSteps(operands, program);
    std::vector<Tensor> results{operands[kParameter]};
    results.insert(results.end(), operands.begin() + kFirstState, operands.end());
    return results;
  }

 protected:
  static constexpr std::size_t kParameter = 0;
  static constexpr std::size_t kGradient = 1;
  static constexpr std::size_t kFirstState = 2;

  virtual void addSteps(const std::vector<Tensor>& operands, Program& program) = 0;

  [[nodiscard]] const Optimiser& rule() const { return rule_; }
  /// The gradient where the parameter lies.
  Tensor gradientOf(const std::vector<Tensor>& operands, Program& program) {
    return alike(operands[kParameter], operands[kGradient], "gradient", program);
  }
  /// The gradient plus the weight decay times the parameter. Without a decay it is the gradient.
  Tensor decayed(const std::vector<Tensor>& operands, Program& program) {
    Tensor gradient = gradientOf(operands, program);
    if (rule_.weight_decay == 0) return gradient;
    Graph& graph = site_.graph;
    Elementwise ops(graph, site_.machine, program);
    const Tensor sum = ops.scale(storageOf(graph, operands[kParameter]), rule_.weight_decay,
                                 step("decay/Multiply"), Lifetime::Temporary);
    ops.binaryInPlace(BinaryOp::Add, sum, storageOf(graph, gradient), step("decay/Add"));
    return operands[kParameter].inVariable(sum.pieces().front().variable);
  }

 private:
  Optimiser rule_;
};

class SgdLowering final : public UpdateLowering {
 public:
  using UpdateLowering::UpdateLowering;

 private:
  void addSteps(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor gradient = decayed(operands, program);
    Elementwise(graph, site_.machine, program)
        .scaledAdd(storageOf(graph, operands[kParameter]), storageOf(graph, gradient), -rule().rate,
                   site_.name);
  }
};

/// Momentum, as the framework executes it: three compute sets where the parameter lies. Padding
/// takes part, whatever it holds.
/// Source: graphcore/popart willow/src/patterns (SGD with separate buffers; MIT).
class MomentumLowering final : public UpdateLowering {
 public:
  using UpdateLowering::UpdateLowering;

 private:
  void addSteps(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    const Tensor gradient = storageOf(graph, decayed(operands, program));
    const Tensor velocity = storageOf(graph, operands[kFirstState]);
    Elementwise ops(graph, site_.machine, program);
    ops.scaleInPlace(velocity, rule().momentum, step("Multiply"));
    ops.binaryInPlace(BinaryOp::Add, velocity, gradient, step("Add"));
    ops.scaledAdd(storageOf(graph, operands[kParameter]), velocity, -rule().rate, step("AddTo"));
  }
};

/// Steps on a ratio of norms. All numbers stay on the chip.
class NormRatio {
 public:
  NormRatio(Graph& graph, const Architecture& machine, std::string name, Program& program)
      : graph_(graph),
        machine_(machine),
        name_(std::move(name)),
        program_(program),
        ops_(graph, machine, program) {}

  /// The Euclidean norm of all elements, as one number on tile 0. Padding does not count.
  Tensor norm(const Tensor& tensor, const char* part) {
    const std::string name = name_ + part;
    const Tensor column = consecutive(graph_, machine_, tensor.reshape({tensor.elements(), 1}),
                                      name + "/column", program_);
    const Tensor squares = ops_.unary(UnaryOp::Square, column.reshape({tensor.elements()}),
                                      name + "/Square", Lifetime::Temporary);
    const Tensor sum =
        sumRows(graph_, machine_, squares.reshape(column.shape()), {name + "/sum"}, program_);
    Tensor norm = graph_.addVariable(sum.type(), {1}, name + "/norm");
    graph_.setTileMapping(norm, TileId(0));
    program_.add(graph_.copy(sum, norm, name + "/norm"));
    ops_.unaryInPlace(UnaryOp::Sqrt, norm, name + "/Sqrt");
    return norm;
  }

  /// a / b, or 1 where either is zero, in place of `a`. With s, the product of their signs, it is
  /// (s a + 1 - s) / (s b + 1 - s).
  void divide(const Tensor& a, const Tensor& b) {
    const Tensor sign = ops_.unary(UnaryOp::Signum, a, name_ + "/Signum", Lifetime::Temporary);
    const Tensor other = ops_.unary(UnaryOp::Signum, b, name_ + "/Signum", Lifetime::Temporary);
    ops_.binaryInPlace(BinaryOp::Multiply, sign, other, name_ + "/Signum/Multiply");
    ops_.binaryInPlace(BinaryOp::Multiply, a, sign, name_ + "/Multiply");
    ops_.binaryInPlace(BinaryOp::Multiply, b, sign, name_ + "/Multiply");
    ops_.scaleInPlace(sign, -1, name_ + "/Signum/Negate");
    ops_.addScalarInPlace(sign, 1, name_ + "/Signum/Add");
    ops_.binaryInPlace(BinaryOp::Add, a, sign, name_ + "/Add");
    ops_.binaryInPlace(BinaryOp::Add, b, sign, name_ + "/Add");
    ops_.binaryInPlace(BinaryOp::Divide, a, b, name_ + "/Divide");
  }

  /// Multiplies `storage`, of one dimension, with a number that the chip has computed.
  void multiply(const Tensor& storage, const Tensor& ratio) {
    multiplyByRow(graph_, storage.reshape({storage.elements(), 1}), ratio, name_ + "/scale",
                  program_);
  }

 private:
  Graph& graph_;
  const Architecture& machine_;
  std::string name_;
  Program& program_;
  Elementwise ops_;
};

class LarsLowering final : public UpdateLowering {
 public:
  using UpdateLowering::UpdateLowering;

 private:
  void addSteps(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    Elementwise ops(graph, site_.machine, program);
    NormRatio ratio(graph, site_.machine, step("ratio"), program);
    const Tensor& parameter = operands[kParameter];
    const Tensor weights = ratio.norm(parameter, "/weights");
    const Tensor gradients = ratio.norm(operands[kGradient], "/gradients");
    if (rule().weight_decay != 0) {
      ops.scaledAdd(gradients, weights, rule().weight_decay, step("ratio/AddTo"));
    }
    ratio.divide(weights, gradients);
    const Tensor change =
        ops.scale(storageOf(graph, decayed(operands, program)), rule().rate * rule().trust,
                  step("change"), Lifetime::Temporary);
    ratio.multiply(change, weights);
    const Tensor velocity = storageOf(graph, operands[kFirstState]);
    ops.scaleInPlace(velocity, rule().momentum, step("Multiply"));
    ops.binaryInPlace(BinaryOp::Add, velocity, change, step("Add"));
    ops.binaryInPlace(BinaryOp::Subtract, storageOf(graph, parameter), velocity, step("Subtract"));
  }
};

/// Adam, and Lamb, which scales Adam's step.
class AdamLowering final : public UpdateLowering {
 public:
  using UpdateLowering::UpdateLowering;

 private:
  static constexpr std::size_t kSquares = 3;

  void addSteps(const std::vector<Tensor>& operands, Program& program) override {
    Graph& graph = site_.graph;
    Elementwise ops(graph, site_.machine, program);
    const Tensor& parameter = operands[kParameter];
    const Tensor weights = storageOf(graph, parameter);
    const Tensor change = addChange(operands, ops, program);
    if (rule().weight_decay != 0) {
      ops.scaledAdd(change, weights, rule().weight_decay, step("decay/AddTo"));
    }
    if (rule().rule == OptimiserRule::Lamb) {
      NormRatio ratio(graph, site_.machine, step("ratio"), program);
      const Tensor norm = ratio.norm(parameter, "/weights");
      const VariableId variable = change.pieces().front().variable;
      ratio.divide(norm, ratio.norm(parameter.inVariable(variable), "/change"));
      ratio.multiply(change, norm);
    }
    ops.scaledAdd(weights, change, -rule().rate, step("AddTo"));
  }

  /// The mean of gradients, by the root of the mean of their squares plus epsilon.
  Tensor addChange(const std::vector<Tensor>& operands, Elementwise& ops, Program& program) {
    Graph& graph = site_.graph;
    const Tensor gradient = storageOf(graph, gradientOf(operands, program));
    const Tensor mean = storageOf(graph, operands[kFirstState]);
    const Tensor square = storageOf(graph, operands[kSquares]);
    ops.scaleInPlace(mean, rule().momentum, step("mean/Multiply"));
    ops.scaledAdd(mean, gradient, 1 - rule().momentum, step("mean/AddTo"));
    const Tensor squares =
        ops.unary(UnaryOp::Square, gradient, step("square"), Lifetime::Temporary);
    ops.scaleInPlace(square, rule().square_momentum, step("square/Multiply"));
    ops.scaledAdd(square, squares, 1 - rule().square_momentum, step("square/AddTo"));
    const Tensor root = ops.unary(UnaryOp::Sqrt, square, step("Sqrt"), Lifetime::Temporary);
    ops.addScalarInPlace(root, rule().epsilon, step("epsilon/Add"));
    return ops.binary(BinaryOp::Divide, mean, root, step("Divide"), Lifetime::Temporary);
  }
};

}  // namespace

NodeLoweringPointer lowerUpdate(const Optimiser& optimiser, NodeSite site) {
  switch (optimiser.rule) {
    case OptimiserRule::Sgd:
      return std::make_unique<SgdLowering>(optimiser, std::move(site));
    case OptimiserRule::Momentum:
      return std::make_unique<MomentumLowering>(optimiser, std::move(site));
    case OptimiserRule::Lars:
      return std::make_unique<LarsLowering>(optimiser, std::move(site));
    case OptimiserRule::Adam:
    case OptimiserRule::Lamb:
      break;
  }
  return std::make_unique<AdamLowering>(optimiser, std::move(site));
}

}  // namespace ipusim::workloads
