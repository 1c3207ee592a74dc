// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planned_layout.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::workloads {
namespace {

/// The place of a tile's part of the table in a storage of tableBlocks().
Range storedPart(const EmbeddingPlan& plan, const EmbeddingPlace& place) {
  const TableBlock block = blockOf(plan, place);
  const std::uint64_t begin =
      plan.problem.rows * block.columns.begin + block.rows.begin * block.columns.size();
  const Range part = storedElements(plan, place);
  return {begin + part.begin, begin + part.end};
}

/// The mapping of the storage of a planned table.
TileMapping tableMapping(const EmbeddingPlan& plan) {
  TileMapping mapping;
  visitPlaces(plan, [&](const EmbeddingPlace& place) {
    const Range part = storedPart(plan, place);
    if (part.size() > 0) mapping.set(part.begin, part.end, tileOf(plan, place));
  });
  return mapping;
}

bool isEqual(const TileMapping& a, const TileMapping& b) {
  const auto& left = a.intervals();
  const auto& right = b.intervals();
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const MappedInterval& x, const MappedInterval& y) {
                      return x.begin == y.begin && x.end == y.end && x.tile == y.tile;
                    });
}

bool samePlaces(const Tensor& a, const Tensor& b) {
  return std::equal(a.pieces().begin(), a.pieces().end(), b.pieces().begin(), b.pieces().end(),
                    [](const Tensor::Piece& x, const Tensor::Piece& y) {
                      return x.variable == y.variable && x.begin == y.begin &&
                             x.extent == y.extent && x.stride == y.stride && x.offset == y.offset;
                    });
}

Range indicesOfStep(const EmbeddingPlan& plan, std::uint64_t step) {
  EmbeddingPlace last;
  last.look_up = plan.splits.look_ups - 1;
  return {lookedUpIndices(plan, step, {}).begin, lookedUpIndices(plan, step, last).end};
}

}  // namespace

std::vector<Range> columnParts(const EmbeddingPlan& plan) {
  std::vector<Range> parts;
  EmbeddingPlace place;
  for (; place.column < plan.splits.columns; ++place.column) {
    parts.push_back(blockOf(plan, place).columns);
  }
  return parts;
}

ColumnBlocks tableBlocks(const EmbeddingPlan& plan) {
  check(plan.problem.groups == 1, "a plan of one table");
  return {plan.problem.rows, columnParts(plan)};
}

Tensor tableBlock(const EmbeddingPlan& plan, const Tensor& storage, const EmbeddingPlace& place) {
  const TableBlock block = blockOf(plan, place);
  return rowsOfBlock(storage, {plan.problem.rows, block.rows, block.columns});
}

Tensor addTable(Graph& graph, const EmbeddingPlan& plan, const OpResult& table) {
  const ColumnBlocks blocks = tableBlocks(plan);
  const Tensor storage =
      graph.addVariable(plan.problem.type, {blocks.elements()}, table.name, table.lifetime);
  graph.setShape(storage, {plan.problem.rows, plan.problem.columns});
  visitPlaces(plan, [&](const EmbeddingPlace& place) {
    const Range part = storedPart(plan, place);
    if (part.size() == 0) return;
    graph.setTileMapping(storage.slice(part.begin, part.end, 0), tileOf(plan, place));
  });
  return blocks.matrix(storage);
}

Tensor addIndices(Graph& graph, const EmbeddingPlan& plan, const OpResult& indices) {
  const Tensor all = graph.addVariable(ElementType::UInt32, {plan.problem.indices}, indices.name,
                                       indices.lifetime);
  const std::vector<Range> stored = storedIndices(plan);
  for (std::size_t t = 0; t < stored.size(); ++t) {
    if (stored[t].size() == 0) continue;
    const auto tile = static_cast<std::uint32_t>((plan.first_tile + t) % plan.machine_tiles);
    graph.setTileMapping(all.slice(stored[t].begin, stored[t].end, 0), TileId(tile));
  }
  return all;
}

Tensor addSlices(Graph& graph, const EmbeddingPlan& plan, const OpResult& slices) {
  const EmbeddingProblem& problem = plan.problem;
  const Tensor all = graph.addVariable(problem.type, {problem.indices * problem.columns},
                                       slices.name, slices.lifetime);
  graph.setShape(all, {problem.indices, problem.columns});
  std::vector<Tensor> steps;
  for (std::uint64_t step = 0; step < plan.splits.serial; ++step) {
    const StepSlices of_step(plan, step);
    const Range& own = of_step.indices();
    if (own.size() == 0) continue;
    const Tensor storage = all.slice(own.begin * problem.columns, own.end * problem.columns, 0);
    of_step.map(graph, storage);
    steps.push_back(of_step.matrix(storage));
  }
  return concat(steps, 0);
}

bool slicesLieAsPlanned(const Graph& graph, const EmbeddingPlan& plan, const Tensor& slices) {
  Graph planned;
  const Tensor wanted = addSlices(planned, plan, {"slices"});
  const VariableId variable = slices.pieces().front().variable;
  return graph.variable(variable).elements == wanted.elements() &&
         slices.shape() == wanted.shape() && samePlaces(slices, wanted.inVariable(variable)) &&
         isEqual(graph.variable(variable).mapping,
                 planned.variable(wanted.pieces().front().variable).mapping);
}

bool liesAsPlanned(const Graph& graph, const EmbeddingPlan& plan, const Tensor& table) {
  const ColumnBlocks blocks = tableBlocks(plan);
  const VariableId variable = table.pieces().front().variable;
  if (graph.variable(variable).elements != blocks.elements()) return false;
  const Tensor wanted =
      blocks.matrix({variable, plan.problem.type, {graph.variable(variable).elements}});
  return table.shape() == wanted.shape() && samePlaces(table, wanted) &&
         isEqual(graph.variable(variable).mapping, tableMapping(plan));
}

Tensor arrangeTable(Graph& graph, const EmbeddingPlan& plan, const RowsOfTable& rows,
                    const std::string& name, Program& program) {
  const Tensor& table = rows.elements;
  check(rows.count == plan.problem.rows && table.elements() == rows.count * plan.problem.columns,
        "a table of the plan");
  if (table.shape().size() == 2 && liesAsPlanned(graph, plan, table)) return table;
  Tensor arranged = addTable(graph, plan, {name + "/table"});
  program.add(graph.copy(table, arranged.reshape(table.shape()), name + "/Copy"));
  return arranged;
}

StepSlices::StepSlices(const EmbeddingPlan& plan, std::uint64_t step)
    : plan_(plan), step_(step), indices_(indicesOfStep(plan, step)) {}

std::uint64_t StepSlices::elements() const {
  return indices_.size() * plan_.problem.columns;
}

Tensor StepSlices::slices(const Tensor& storage, const EmbeddingPlace& place,
                          const Range& indices) const {
  const Range looked_up = lookedUpIndices(plan_, step_, place);
  const std::uint64_t width = plan_.problem.columns;
  const Tensor own = storage.slice((looked_up.begin - indices_.begin) * width,
                                   (looked_up.end - indices_.begin) * width, 0);
  return rowsOfBlock(own, {looked_up.size(),
                           {indices.begin - looked_up.begin, indices.end - looked_up.begin},
                           blockOf(plan_, place).columns});
}

void StepSlices::map(Graph& graph, const Tensor& storage) const {
  visitPlaces(plan_, [&](const EmbeddingPlace& place) {
    const Range held = heldSlices(plan_, step_, place);
    if (held.size() == 0) return;
    const Tensor own = slices(storage, place, held);
    if (own.elements() > 0) graph.setTileMapping(own, tileOf(plan_, place));
  });
}

Tensor StepSlices::matrix(const Tensor& storage) const {
  const std::uint64_t width = plan_.problem.columns;
  const std::vector<Range> columns = columnParts(plan_);
  std::vector<Tensor> parts;
  EmbeddingPlace place;
  for (; place.look_up < plan_.splits.look_ups; ++place.look_up) {
    const Range looked_up = lookedUpIndices(plan_, step_, place);
    if (looked_up.size() == 0) continue;
    const Tensor own = storage.slice((looked_up.begin - indices_.begin) * width,
                                     (looked_up.end - indices_.begin) * width, 0);
    parts.push_back(ColumnBlocks(looked_up.size(), columns).matrix(own));
  }
  return concat(parts, 0);
}

}  // namespace ipusim::workloads
