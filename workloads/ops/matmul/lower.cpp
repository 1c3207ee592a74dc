// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/lower.h"

#include <utility>

#include "workloads/ops/elementwise/cast.h"
#include "workloads/ops/matmul/rearrange.h"
#include "workloads/ops/matmul/reduce.h"
#include "workloads/ops/serial/serial_loop.h"

namespace ipusim::workloads {

namespace {

Tensor swapped(const Tensor& tensor) {
  return tensor.dimShuffle({0, 2, 1});
}

/// Type and lifetime of the result of one serial step.
struct StepResult {
  ElementType type;
  Lifetime lifetime;
};

/// Multiplies and adds up one serial step. The blocks of the result follow one another.
Tensor addStep(const MatmulSite& site, const ConvolveOperands& operands, const StepResult& result,
               Program& program) {
  const MatmulPlan& plan = site.layout.plan();
  const bool reduces = plan.partition.in_chans > 1;
  const bool casts = !reduces && plan.method.partials != result.type;
  MatmulPartials partials = addConvolve(
      site, operands, reduces || casts ? Lifetime::Temporary : result.lifetime, program);
  if (!reduces && !casts) return partials.storage;
  Tensor out = site.graph.addVariable(result.type, {site.layout.resultElements()},
                                      site.name + "/out", result.lifetime);
  site.graph.setShape(out, site.layout.resultShape(1));
  if (casts) {
    addCast(site.graph, partials.storage, out, site.name + "/Cast", program);
    return out;
  }
  std::vector<PartialBlock> blocks;
  std::uint64_t next = 0;
  for (std::vector<PartialSet>& sets : partials.of_block) {
    const std::uint64_t end = next + sets.front().elements.elements();
    blocks.push_back({std::move(sets), out.slice(next, end, 0)});
    next = end;
  }
  addReduction(site.graph, site.machine, std::move(blocks), site.name, program);
  return out;
}

/// Adds to the loop's body what copies the counter's step of an operand. Returns the copy, which is
/// mapped alike.
BlockedOperand sliceOf(const std::vector<BlockedOperand>& steps, const MatmulSite& site,
                       SerialLoop& loop) {
  const BlockedOperand& first = steps.front();
  if (steps.size() == 1) return first;
  BlockedOperand taken =
      site.layout
          .addOperand(
              site.graph,
              {first.role, first.storage.type(), first.name + "/slice", Lifetime::Temporary}, 1)
          .front();
  std::vector<Tensor> storages;
  storages.reserve(steps.size());
  for (const BlockedOperand& step : steps) storages.push_back(step.storage);
  loop.slice(concat(storages, 0), taken.storage, first.name);
  return taken;
}

/// A copy of its input block for every tile, made once before a loop.
std::vector<Tensor> addInputCopies(const MatmulSite& site, const BlockedOperand& input,
                                   Program& program) {
  const std::string name = input.name + "/broadcast";
  std::uint64_t elements = 0;
  for (const OperandBlock& block : input.blocks) {
    elements += block.units * block.rows * input.row_elements * block.tiles.size();
  }
  const Tensor storage = site.graph.addVariable(input.storage.type(), {elements}, name);
  Shape shape = site.layout.operandShape(input.role, 1);
  shape.insert(shape.begin(), site.layout.plan().partition.out_chans);
  site.graph.setShape(storage, std::move(shape));
  std::vector<Tensor> copies(site.layout.plan().partition.tiles());
  std::vector<CopyPair> pairs;
  std::uint64_t next = 0;
  for (std::size_t b = 0; b < input.blocks.size(); ++b) {
    const Tensor block = blockTensor(input, b);
    for (const TileId tile : input.blocks[b].tiles) {
      const Tensor own = storage.slice(next, next + block.elements(), 0);
      next += block.elements();
      site.graph.setTileMapping(own, tile);
      Tensor& copy = copies[tile.tile()];
      copy = own.reshape(block.shape());
      pairs.push_back({block, copy});
    }
  }
  program.add(site.graph.copy(pairs, name));
  return copies;
}

/// Puts an operand into another variable.
void take(std::vector<BlockedOperand>& steps, VariableId variable) {
  for (BlockedOperand& step : steps) step.storage = step.storage.inVariable(variable);
}

}  // namespace

const std::vector<BlockedOperand>& PlannedOperands::leftOperand() const {
  return layout.plan().order == OperandOrder::Swapped ? weights : input;
}

const std::vector<BlockedOperand>& PlannedOperands::rightOperand() const {
  return layout.plan().order == OperandOrder::Swapped ? input : weights;
}

Tensor PlannedOperands::left() const {
  return layout.logical(leftOperand());
}

Tensor PlannedOperands::right() const {
  return swapped(layout.logical(rightOperand()));
}

MatmulOp::MatmulOp(Graph& graph, const Architecture& machine, const PlannedProduct& product,
                   const std::string& name, const OperandLifetimes& lifetimes)
    : graph_(graph),
      machine_(machine),
      name_(name),
      operands_{product.problem, MatmulLayout(product.plan), {}, {}} {
  const bool swap = product.plan.order == OperandOrder::Swapped;
  const auto add = [&](OperandRole role) {
    const bool left = (role == OperandRole::Weights) == swap;
    return operands_.layout.addOperand(
        graph,
        {role, product.problem.input, name + (left ? "/left" : "/right"),
         left ? lifetimes.left : lifetimes.right},
        operands_.layout.stepsOf(role));
  };
  operands_.input = add(OperandRole::Input);
  operands_.weights = add(OperandRole::Weights);
}

void MatmulOp::rearrange(const Tensor& left, const Tensor& right, Program& program) {
  rearrangeOperands(site(),
                    {{left, operands_.leftOperand()}, {swapped(right), operands_.rightOperand()}},
                    program);
}

void MatmulOp::takeLeft(VariableId variable) {
  take(operands_.layout.plan().order == OperandOrder::Swapped ? operands_.weights : operands_.input,
       variable);
}

void MatmulOp::takeRight(VariableId variable) {
  take(operands_.layout.plan().order == OperandOrder::Swapped ? operands_.input : operands_.weights,
       variable);
}

void MatmulOp::arrange(const Tensor* left, const Tensor* right, Program& program) {
  std::vector<OperandArrival> arrivals;
  std::vector<const std::vector<BlockedOperand>*> in_place;
  const PlannedOperands& operands = operands_;
  const auto add = [&](const Tensor* source, const std::vector<BlockedOperand>& steps) {
    if (source == nullptr) {
      in_place.push_back(&steps);
    } else {
      arrivals.push_back({*source, steps});
    }
  };
  add(left, operands.leftOperand());
  const Tensor columns = right == nullptr ? Tensor() : swapped(*right);
  add(right == nullptr ? nullptr : &columns, operands.rightOperand());
  if (!arrivals.empty()) rearrangeOperands(site(), arrivals, program);
  if (!in_place.empty()) workloads::clearPadding(site(), in_place, program);
}

void MatmulOp::rearrangeLeft(const Tensor& left, Program& program) {
  rearrangeOperands(site(), {{left, operands_.leftOperand()}}, program);
  workloads::clearPadding(site(), {&operands_.rightOperand()}, program);
}

Tensor MatmulOp::arrangedAsRight(const Tensor& values, const std::string& name, Program& program) {
  const std::vector<BlockedOperand>& right = operands_.rightOperand();
  const OperandVariable variable{right.front().role, values.type(), name, Lifetime::Temporary};
  const std::vector<BlockedOperand> arranged =
      operands_.layout.addOperand(graph_, variable, operands_.layout.stepsOf(right.front().role));
  rearrangeOperands(site(), {{swapped(values), arranged}}, program);
  return operands_.right().inVariable(arranged.front().storage.pieces().front().variable);
}

void MatmulOp::clearPadding(Program& program) {
  workloads::clearPadding(site(), {&operands_.leftOperand(), &operands_.rightOperand()}, program);
}

std::vector<Tensor> MatmulOp::multiplyInSteps(Lifetime lifetime, Program& program) {
  const MatmulPlan& plan = operands_.layout.plan();
  const bool adds = plan.partition.in_chans_serial > 1;
  const ElementType output = operands_.problem.output;
  const std::uint64_t elements = operands_.layout.resultElements();
  SerialLoop loop({graph_, machine_, name_, plan.partition.steps()});
  ConvolveOperands step{
      sliceOf(operands_.input, site(), loop), sliceOf(operands_.weights, site(), loop), {}};
  if (plan.broadcast == InputBroadcast::BeforeLoop) {
    step.input_copies = addInputCopies(site(), step.input, program);
  }
  const Tensor part = addStep(
      site(), step, {adds ? plan.method.partials : output, Lifetime::Temporary}, loop.body());
  if (!adds) {
    const std::uint32_t steps = plan.partition.out_chans_serial;
    const Tensor all = graph_.addVariable(output, {steps * elements}, name_ + "/result", lifetime);
    graph_.setShape(all, operands_.layout.resultShape(steps));
    loop.update(all, part);
    loop.finish(program);
    std::vector<Tensor> results;
    for (std::uint32_t s = 0; s < steps; ++s) {
      results.push_back(all.slice(s * elements, (s + 1) * elements, 0));
    }
    return results;
  }
  const bool casts = plan.method.partials != output;
  const Tensor sum = graph_.addVariable(plan.method.partials, {elements}, name_ + "/sum",
                                        casts ? Lifetime::Temporary : lifetime);
  graph_.setShape(sum, operands_.layout.resultShape(1));
  loop.accumulate(sum, part);
  loop.finish(program);
  if (!casts) return {sum};
  const Tensor result = graph_.addVariable(output, {elements}, name_ + "/result", lifetime);
  graph_.setShape(result, operands_.layout.resultShape(1));
  addCast(graph_, sum, result, name_ + "/Cast", program);
  return {result};
}

Tensor MatmulOp::multiply(Lifetime lifetime, Program& program) {
  const MatmulLayout& layout = operands_.layout;
  std::vector<Tensor> storages;
  if (layout.plan().partition.steps() > 1) {
    storages = multiplyInSteps(lifetime, program);
  } else {
    const ConvolveOperands operands{operands_.input.front(), operands_.weights.front(), {}};
    storages = {addStep(site(), operands, {operands_.problem.output, lifetime}, program)};
  }
  std::vector<Tensor> results;
  results.reserve(storages.size());
  for (std::uint32_t s = 0; s < storages.size(); ++s) {
    results.push_back(layout.resultTensor(storages[s], s));
  }
  const Tensor joined = concat(results, 2);
  return layout.plan().order == OperandOrder::Swapped ? swapped(joined) : joined;
}

}  // namespace ipusim::workloads
