// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/plan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "workloads/ops/reduce/planner/final_stage.h"
#include "workloads/ops/reduce/planner/intermediate_stage.h"

namespace ipusim::workloads {

namespace {

using models::ReduceOp;

ElementType widerOf(ElementType a, ElementType b) {
  return sizeOf(a) < sizeOf(b) ? b : a;
}

bool hasOneRow(const PartialColumns& columns) {
  return columns.mostTiles() == 1 && columns.mostRowsOfTile() == 1;
}

bool addsUp(ReduceOp op) {
  return op == ReduceOp::Add || op == ReduceOp::SquareAdd;
}

/// True when a tile has a single element of these columns.
bool anyLone(const std::map<TileId, std::uint64_t>& elements) {
  return std::any_of(elements.begin(), elements.end(),
                     [](const auto& tile) { return tile.second == 1; });
}

template <typename Intervals>
std::map<TileId, std::uint64_t> elementsByTile(const Intervals& intervals) {
  std::map<TileId, std::uint64_t> elements;
  for (const auto& one : intervals) elements[one.tile] += one.end - one.begin;
  return elements;
}

/// Goes through the stages, with the partials that the last one left.
class StagePlanner {
 public:
  StagePlanner(const Architecture& machine, const ReduceProblem& problem, PartialColumns held)
      : machine_(machine),
        problem_(problem),
        op_(problem.op),
        type_(problem.input),
        partials_(std::move(held)),
        has_lone_(anyLone(elementsByTile(problem.held))),
        tile_(problem.first_tile) {}

  ReducePlan plan() {
    if (partials_.mostRowsOfTile() > 1) reduceOnTile();
    while (needsIntermediateStage(machine_, partials_)) addIntermediate();
    const ReduceStage stage{op_, type_, problem_.output, problem_.into, problem_.in_vertex};
    plan_.final = finalStage(machine_, problem_, stage, std::move(partials_));
    plan_.final.casts_first = castsFirst(plan_.final.reduced);
    if (plan_.final.casts_first) plan_.final.stage.partials = ElementType::Float;
    return std::move(plan_);
  }

 private:
  void reduceOnTile() {
    plan_.on_tile = OnTileStage{stageTo(problem_.in_vertex)};
    reducedTo(problem_.in_vertex);
  }

  void addIntermediate() {
    IntermediateStage next;
    next.stage = stageTo(problem_.between_tiles);
    next.reductions = intermediateReductions(machine_, next.stage, partials_, tile_);
    next.casts_first = castsFirst(next.reductions);
    if (next.casts_first) next.stage.partials = ElementType::Float;
    next.sources = std::exchange(partials_, partialsAfter(next.reductions));
    tile_ = (next.reductions.back().tile.tile() + 1) % machine_.tiles;
    plan_.intermediate.push_back(std::move(next));
    reducedTo(problem_.between_tiles);
    has_lone_ = anyLone(elementsByTile(plan_.intermediate.back().reductions));
  }

  /// A stage that is not the last one.
  [[nodiscard]] ReduceStage stageTo(ElementType type) const {
    return {op_, type_, type, models::ReduceInto::Fresh, problem_.in_vertex};
  }

  void reducedTo(ElementType type) {
    if (op_ == ReduceOp::SquareAdd) op_ = ReduceOp::Add;
    type_ = type;
  }

  /// True for sums of halves when a tile sends or makes a single one.
  template <typename Intervals>
  [[nodiscard]] bool castsFirst(const Intervals& outputs) const {
    if (!addsUp(op_) || type_ != ElementType::Half) return false;
    return has_lone_ || anyLone(elementsByTile(outputs));
  }

  const Architecture& machine_;
  const ReduceProblem& problem_;
  ReduceOp op_;
  ElementType type_;
  PartialColumns partials_;
  bool has_lone_;  ///< a tile has a single partial
  std::uint32_t tile_;
  ReducePlan plan_;
};

}  // namespace

ElementType partialsTypeOf(ReduceOp op, ElementType output) {
  const bool compares = op == ReduceOp::Maximum || op == ReduceOp::Minimum;
  return output == ElementType::Half && !compares ? ElementType::Float : output;
}

ReduceProblem reduceProblem(ReduceOp op, ElementType input, ElementType output,
                            std::vector<HeldRows> held) {
  const ElementType partials = partialsTypeOf(op, output);
  return {op, input, output, partials, partials, models::ReduceInto::Fresh, std::move(held)};
}

ReducePlan planReduce(const Architecture& machine, ReduceProblem problem) {
  problem.between_tiles = widerOf(problem.between_tiles, problem.output);
  problem.in_vertex = widerOf(problem.in_vertex, problem.output);
  PartialColumns held(problem.held);
  if (held.mostTiles() > 1) return StagePlanner(machine, problem, std::move(held)).plan();
  ReducePlan plan;
  plan.form = hasOneRow(held) ? ReduceForm::NoRows : ReduceForm::OnTile;
  plan.final = onTileFinalStage(machine, problem, std::move(held));
  return plan;
}

}  // namespace ipusim::workloads
