// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/matmul/lower.h"

#include <memory>

#include "sim/base/error.h"
#include "workloads/codelets/amp.h"
#include "workloads/ops/matmul/rearrange.h"
#include "workloads/ops/matmul/reduce.h"

namespace ipusim::workloads {

using models::Machine;

namespace {

/// The parts that compute one block of the result: they differ in the in channels only.
std::vector<PartIndex> resultBlocks(const MatmulPartition& p) {
  std::vector<PartIndex> blocks;
  for (std::uint32_t group = 0; group < p.conv_groups; ++group) {
    for (std::uint32_t field = 0; field < p.field; ++field) {
      for (std::uint32_t out = 0; out < p.out_chans; ++out)
        blocks.push_back({group, 0, field, out});
    }
  }
  return blocks;
}

Tensor swapped(const Tensor& tensor) {
  return tensor.dimShuffle({0, 2, 1});
}

/// Joins the (groups, positions, out channels) of blocks ordered as by `resultBlocks`.
Tensor joinResults(const std::vector<Tensor>& blocks, const MatmulPartition& p) {
  std::vector<Tensor> by_group;
  auto block = blocks.begin();
  for (std::uint32_t group = 0; group < p.conv_groups; ++group) {
    std::vector<Tensor> by_field;
    for (std::uint32_t field = 0; field < p.field; ++field) {
      by_field.push_back(concat({block, block + p.out_chans}, 2));
      block += p.out_chans;
    }
    by_group.push_back(concat(by_field, 1));
  }
  return concat(by_group, 0);
}

/// The Convolve step and what it leaves.
class Convolve {
 public:
  Convolve(Graph& graph, const MatmulLayout& layout, const MatmulProblem& problem)
      : graph_(graph), layout_(layout), problem_(problem) {}

  void run(const BlockedOperand& input, const BlockedOperand& weights, const std::string& name,
           Lifetime lifetime) {
    const MatmulPartition& p = layout_.plan().partition;
    std::uint64_t elements = 0;
    for (const PartIndex& block : resultBlocks(p)) {
      elements += layout_.resultElements(block) * p.in_chans;
    }
    partials_ = graph_.addVariable(layout_.plan().method.partials, {elements}, name + "/partials",
                                   lifetime);
    const ComputeSetId compute_set = graph_.addComputeSet(name + "/Convolve");
    for (std::uint32_t group = 0; group < p.conv_groups; ++group) {
      for (std::uint32_t in = 0; in < p.in_chans; ++in) {
        for (PartIndex part : resultBlocks(p)) {
          if (part.group != group) continue;
          part.in = in;
          addVertex(compute_set, part, input, weights);
        }
      }
    }
    graph_.program().add(execute(compute_set));
  }

  /// The partials of a block, one for each part of the in channels.
  [[nodiscard]] std::vector<PartialSet> partialsOf(PartIndex block) const {
    std::vector<PartialSet> sets;
    for (block.in = 0; block.in < layout_.plan().partition.in_chans; ++block.in) {
      const std::uint32_t tile = layout_.tile(block);
      sets.push_back({at_tile_.at(tile), {tile}});
    }
    return sets;
  }

 private:
  void addVertex(ComputeSetId compute_set, const PartIndex& part, const BlockedOperand& input,
                 const BlockedOperand& weights) {
    const VertexMethod& method = layout_.plan().method;
    const std::uint32_t tile = layout_.tile(part);
    const std::uint64_t size = layout_.resultElements(part);
    const Tensor out = partials_.slice(next_, next_ + size, 0);
    next_ += size;
    graph_.setTileMapping(out, tile);
    if (at_tile_.size() <= tile) at_tile_.resize(tile + 1);
    at_tile_[tile] = out;
    const models::Amp1x1Shape shape{{problem_.input, method.partials, method.conv_units},
                                    layout_.field(part.field).count,
                                    layout_.groups(part.group).count,
                                    layout_.inGroups(part.in).count,
                                    layout_.outGroups(part.out).count,
                                    method.partial_chans_per_group};
    graph_.addVertices(
        compute_set,
        {std::make_shared<ConvPartial1x1Out>(shape, method.in_chans_per_group),
         tile,
         1,
         {{blockTensor(input, layout_.blockIndex(OperandRole::Input, part)).view()},
          {blockTensor(weights, layout_.blockIndex(OperandRole::Weights, part)).view()},
          {out.view()}}});
  }

  Graph& graph_;
  const MatmulLayout& layout_;
  const MatmulProblem& problem_;
  Tensor partials_;
  std::uint64_t next_ = 0;
  std::vector<Tensor> at_tile_;
};

}  // namespace

const BlockedOperand& PlannedOperands::leftOperand() const {
  return layout.plan().order == OperandOrder::Swapped ? weights : input;
}

const BlockedOperand& PlannedOperands::rightOperand() const {
  return layout.plan().order == OperandOrder::Swapped ? input : weights;
}

Tensor PlannedOperands::left() const {
  return layout.logical(leftOperand()).slice(0, problem.m, 1).slice(0, problem.k, 2);
}

Tensor PlannedOperands::right() const {
  return swapped(layout.logical(rightOperand()).slice(0, problem.n, 1).slice(0, problem.k, 2));
}

MatmulOp::MatmulOp(Graph& graph, const Machine& machine, const PlannedProduct& product,
                   const std::string& name, Lifetime lifetime)
    : graph_(graph),
      machine_(machine),
      name_(name),
      operands_{product.problem, MatmulLayout(product.plan), {}, {}} {
  const bool swap = product.plan.order == OperandOrder::Swapped;
  const auto add = [&](OperandRole role, const char* side) {
    return operands_.layout.addOperand(graph, role, product.problem.input, name + side, lifetime);
  };
  operands_.input = add(OperandRole::Input, swap ? "/right" : "/left");
  operands_.weights = add(OperandRole::Weights, swap ? "/left" : "/right");
}

void MatmulOp::rearrange(const Tensor& left, const Tensor& right) {
  rearrangeOperand(graph_, machine_, operands_.layout, left, operands_.leftOperand());
  rearrangeOperand(graph_, machine_, operands_.layout, swapped(right), operands_.rightOperand());
}

void MatmulOp::clearPadding() {
  workloads::clearPadding(graph_, machine_, operands_.layout, operands_.leftOperand());
  workloads::clearPadding(graph_, machine_, operands_.layout, operands_.rightOperand());
}

Tensor MatmulOp::multiply(Lifetime lifetime) {
  const MatmulLayout& layout = operands_.layout;
  const MatmulPlan& plan = layout.plan();
  const models::ElementType output = operands_.problem.output;
  const bool reduces = plan.partition.in_chans > 1;
  check(plan.partition.steps() == 1, "a product in serial steps");
  check(reduces || plan.method.partials == output, "partials that need a cast");
  Convolve convolve(graph_, layout, operands_.problem);
  convolve.run(operands_.input, operands_.weights, name_, reduces ? Lifetime::Temporary : lifetime);
  std::vector<PartialBlock> blocks;
  std::vector<Tensor> results;
  std::uint64_t elements = 0;
  for (const PartIndex& part : resultBlocks(plan.partition)) {
    elements += layout.resultElements(part);
  }
  Tensor result;
  if (reduces) result = graph_.addVariable(output, {elements}, name_ + "/out", lifetime);
  std::uint64_t next = 0;
  for (const PartIndex& part : resultBlocks(plan.partition)) {
    std::vector<PartialSet> sets = convolve.partialsOf(part);
    const std::uint64_t size = layout.resultElements(part);
    const Tensor block = reduces ? result.slice(next, next + size, 0) : sets.front().elements;
    next += size;
    results.push_back(layout.resultTensor(block, part));
    if (reduces) blocks.push_back({std::move(sets), block});
  }
  if (reduces) addReduction(graph_, machine_, std::move(blocks), plan.partition.in_chans, name_);
  const Tensor joined = joinResults(results, plan.partition).slice(0, plan.conv.out_chans, 2);
  return plan.order == OperandOrder::Swapped ? swapped(joined) : joined;
}

}  // namespace ipusim::workloads
