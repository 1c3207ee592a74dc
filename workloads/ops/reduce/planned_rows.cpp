// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planned_rows.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ipusim/error.h"
#include "models/ipu/cost/exchange/exchange.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/ops/reduce/planned_stage.h"
#include "workloads/ops/reduce/stage_sources.h"

namespace ipusim::workloads {

namespace {

/// True when the first stage that sends partials reads floats instead of halves.
bool castsFirst(const ReducePlan& plan) {
  return plan.intermediate.empty() ? plan.final.casts_first : plan.intermediate.front().casts_first;
}

/// Where a reduction goes.
struct PlannedResult {
  const OpResult& results;
  Program& program;
  const Tensor* given = nullptr;  ///< the output that the caller has already
};

/// A plan, and all that its lowering adds to.
struct PlannedLowering {
  Graph& graph;
  const Architecture& machine;
  const PlannedResult& into;
  const ReduceProblem& problem;
  const ReducePlan& plan;
};

/// The output that the caller gave, or one that is added and mapped.
Tensor outputOf(const PlannedLowering& to) {
  if (to.into.given != nullptr) return *to.into.given;
  const FinalStage& final = to.plan.final;
  const OpResult& results = to.into.results;
  const Tensor result = to.graph.addVariable(final.stage.output, {final.sources.columns()},
                                             results.name + "/Out", results.lifetime);
  for (const auto& [tile, begin, end] : final.result.empty() ? final.reduced : final.result) {
    to.graph.setTileMapping(result.slice(begin, end, 0), tile);
  }
  return result;
}

StageData writing(const PlacedPartials& placed) {
  StageData data;
  data.outputs = [&placed](TileId tile, std::uint64_t begin, std::uint64_t end) {
    View view;
    placed.appendTo(view, tile, begin, end);
    return view;
  };
  return data;
}

/// Adds the stages before the last one, and says where they leave their partials.
PlacedPartials addEarlierStages(const PlannedLowering& to, PlannedStages& rows,
                                const LocalPartials& local) {
  PlacedPartials partials;
  if (to.plan.on_tile) {
    const std::string name = "/ReduceOnTile/InToIntermediateNoExchange";
    const auto shares = onTileShares(to.problem, *to.plan.on_tile);
    partials = rows.addPartials(name, to.plan.on_tile->stage.output, shares);
    StageData data = writing(partials);
    data.partials = [&](const auto& share, const auto& part) {
      return local.partials(share, part);
    };
    rows.addStage(name, shares, data);
  } else {
    partials = local.placed();
  }
  for (std::size_t s = 0; s < to.plan.intermediate.size(); ++s) {
    const IntermediateStage& stage = to.plan.intermediate[s];
    const std::string name = "/ReduceStage" + std::to_string(s) + "/IntermediateToIntermediate";
    const auto shares = intermediateShares(stage);
    PlacedPartials next = rows.addPartials(name, stage.stage.output, shares);
    ReceivedPartials received(stage.sources, partials);
    StageData data = writing(next);
    data.partials = [&](const StageShare& share, const PatternPart& part) {
      const std::size_t source = share.columns[part.pattern].front().source;
      return received.partials(share, part, stage.reductions[source].first);
    };
    rows.addStage(name, shares, data);
    partials = std::move(next);
  }
  return partials;
}

/// Adds all stages. `local` is what the first of them reads.
Tensor addPlan(const PlannedLowering& to, const LocalPartials& local) {
  const Tensor result = outputOf(to);
  PlannedStages rows(to.graph, to.machine, to.into.results.name, to.into.program);
  StageData data;
  data.outputs = [&](TileId, std::uint64_t begin, std::uint64_t end) {
    return result.flatView(begin, end);
  };
  const auto shares = finalShares(to.machine, to.problem, to.plan.final);
  if (to.plan.form == ReduceForm::OnTile) {
    data.partials = [&](const auto& share, const auto& part) {
      return local.partials(share, part);
    };
    rows.addStage("", shares, data);
    return result;
  }
  const PlacedPartials partials = addEarlierStages(to, rows, local);
  ReceivedPartials received(to.plan.final.sources, partials);
  data.partials = [&](const auto& share, const auto& part) {
    return received.partials(share, part, 0);
  };
  rows.addStage("/ReduceFinalStage/IntermediateToOutput", shares, data);
  return result;
}

/// The longest sync of the machine: what a phase waits for besides the longest start delay.
Cycles longestSync(const Architecture& machine) {
  return excess(models::exchangePhaseOverhead(machine), machine.fabric.start_delay_longest);
}

/// Where a tensor of one dimension and consecutive elements lies.
std::vector<TileInterval> placesOfOutput(const Graph& graph, const Tensor& output) {
  check(output.pieces().size() == 1, "an output of consecutive elements");
  const std::uint64_t first = output.view().front().begin();
  std::vector<TileInterval> places;
  for (const auto& [tile, share] : sharesByTile(graph, output)) {
    for (const Section& section : share) {
      places.push_back({tile, section.begin() - first, section.end() - first});
    }
  }
  std::sort(places.begin(), places.end(),
            [](const TileInterval& a, const TileInterval& b) { return a.begin < b.begin; });
  return places;
}

/// A copy of a matrix of which nothing is reduced.
Tensor copyOf(Graph& graph, const Tensor& matrix, const OpResult& results, Program& program) {
  const Tensor row = matrix.reshape({matrix.elements()});
  const Tensor copy =
      graph.addVariable(matrix.type(), row.shape(), results.name + "/Out", results.lifetime);
  mapAlike(graph, row, copy);
  program.add(graph.copy(row, copy, results.name + "/Copy"));
  return copy;
}

/// Adds the reduction of what `placesOf` finds in a tensor of the shape of the matrix.
template <typename PlacesOf>
Tensor addReduction(Graph& graph, const Architecture& machine, const RowsOperand& operand,
                    const PlannedResult& into, const PlacesOf& placesOf) {
  const Tensor& matrix = operand.matrix;
  check(matrix.shape().size() == 2, "a matrix");
  const LocalPartials local = placesOf(graph, matrix);
  ReduceProblem problem = reduceProblem(operand.op, matrix.type(), matrix.type(), local.rows());
  if (into.given != nullptr) {
    problem.output_given = placesOfOutput(graph, *into.given);
    problem.sync = longestSync(machine);
  }
  const ReducePlan plan = planReduce(machine, problem);
  if (plan.form == ReduceForm::NoRows) {
    check(into.given == nullptr, "rows to reduce into an output");
    return copyOf(graph, matrix, into.results, into.program);
  }
  const PlannedLowering to{graph, machine, into, problem, plan};
  if (!castsFirst(plan)) return addPlan(to, local);
  const Tensor floats = Elementwise(graph, machine, into.program)
                            .cast(matrix.reshape({matrix.elements()}), ElementType::Float,
                                  into.results.name + "/PreCast", Lifetime::Temporary);
  return addPlan(to, placesOf(graph, floats.reshape(matrix.shape())));
}

}  // namespace

Tensor reduceRowsByPlan(Graph& graph, const Architecture& machine, const RowsOperand& operand,
                        const OpResult& results, Program& program) {
  return addReduction(graph, machine, operand, {results, program}, LocalPartials::ofRows);
}

void reduceRowsInto(Graph& graph, const Architecture& machine, const RowsInto& rows,
                    const std::string& name, Program& program) {
  const auto& [operand, output] = rows;
  check(output.shape() == Shape{operand.matrix.shape().back()} &&
            output.type() == operand.matrix.type(),
        "an output for each column");
  addReduction(graph, machine, operand, {{name}, program, &output}, LocalPartials::ofRows);
}

Tensor reduceColumnsByPlan(Graph& graph, const Architecture& machine, const RowsOperand& operand,
                           const OpResult& results, Program& program) {
  return addReduction(graph, machine, operand, {results, program}, LocalPartials::ofColumns);
}

}  // namespace ipusim::workloads
