// SPDX-License-Identifier: Apache-2.0
#include <tuple>
#include <vector>

#include "ipusim/error.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/gather/planned_look_ups.h"
#include "workloads/ops/gather/planner/share.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/planned_rows.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {
namespace {

/// The updates of one table. The arguments of the constructor must outlive this object.
class PlannedScatter {
 public:
  PlannedScatter(Graph& graph, const Architecture& machine, const PlannedUpdate& update,
                 const OpResult& sums, Program& program)
      : graph_(graph),
        machine_(machine),
        plan_(update.plan),
        source_(update.source),
        indices_(update.indices),
        elements_(plan_.problem.rows * plan_.problem.columns),
        sums_(sums),
        program_(program) {}

  Tensor table() {
    const Tensor table = addTable(graph_, plan_, {sums_.name + "/table", sums_.lifetime});
    const Tensor storage = storageOf(graph_, table);
    addZero(graph_, machine_, {storage}, sums_.name + "/Zero", program_);
    scales_ =
        graph_.addConstant(plan_.problem.type, {plan_.splits.tiles()}, 1, sums_.name + "/scale");
    visitPlaces(plan_, [&](const EmbeddingPlace& place) {
      graph_.setTileMapping(scaleOf(place), tileOf(plan_, place));
    });
    for (std::uint64_t step = 0; step < plan_.splits.serial; ++step) {
      if (StepSlices(plan_, step).indices().size() > 0) addStep(step, storage);
    }
    return table;
  }

 private:
  void addStep(std::uint64_t step, const Tensor& table) {
    const StepSlices slices(plan_, step);
    const std::vector<std::vector<View>> sources = sourcesOf(step, slices);
    if (!hasPartialTables(plan_)) {
      addUpdates(step, table, sources);
      return;
    }
    const Tensor tables = addPartialTables();
    addZero(graph_, machine_, {tables}, sums_.name + "/ZeroPartials", program_);
    addUpdates(step, tables, sources);
    const Tensor sum = storageOf(graph_, addTable(graph_, plan_, {sums_.name + "/sum"}));
    const Tensor rows = tables.reshape({plan_.splits.look_ups, elements_});
    reduceRowsInto(graph_, machine_, {{models::ReduceOp::Add, rows}, sum}, sums_.name, program_);
    Elementwise(graph_, machine_, program_).scaledAdd(table, sum, 1, sums_.name + "/add");
  }

  /// The rows that each look-up part adds, of each part of the columns.
  std::vector<std::vector<View>> sourcesOf(std::uint64_t step, const StepSlices& slices) {
    const Range& all = slices.indices();
    const Tensor source = source_.slice(all.begin, all.end, 0);
    Tensor storage;
    const bool copies = copiesSlicesFirst(plan_) && !slicesLieAsPlanned(graph_, plan_, source_);
    if (copies) {
      storage = graph_.addVariable(source.type(), {slices.elements()}, sums_.name + "/slices");
      slices.map(graph_, storage);
      program_.add(graph_.copy(source, slices.matrix(storage), sums_.name + "/slices"));
    }
    const std::vector<Range> columns = columnParts(plan_);
    std::vector<std::vector<View>> views(plan_.splits.look_ups);
    EmbeddingPlace place;
    for (; place.look_up < plan_.splits.look_ups; ++place.look_up) {
      const Range own = lookedUpIndices(plan_, step, place);
      if (own.size() == 0) continue;
      const Tensor rows = source.slice(own.begin - all.begin, own.end - all.begin, 0);
      for (place.column = 0; place.column < columns.size(); ++place.column) {
        const Range& part = columns[place.column];
        views[place.look_up].push_back(copies ? slices.slices(storage, place, own).view()
                                              : rows.slice(part.begin, part.end, 1).view());
      }
    }
    return views;
  }

  /// Adds a table for each look-up part, one behind the other.
  Tensor addPartialTables() {
    Tensor tables = graph_.addVariable(plan_.problem.type, {plan_.splits.look_ups * elements_},
                                       sums_.name + "/tables");
    visitPlaces(plan_, [&](const EmbeddingPlace& place) {
      const Tensor block = blockIn(tables, place);
      if (block.elements() > 0) graph_.setTileMapping(block, tileOf(plan_, place));
    });
    return tables;
  }

  /// The block that a place updates, of its own table among `tables`.
  [[nodiscard]] Tensor blockIn(const Tensor& tables, const EmbeddingPlace& place) const {
    const Tensor own = tables.slice(place.look_up * elements_, (place.look_up + 1) * elements_, 0);
    return tableBlock(plan_, own, place);
  }

  void addUpdates(std::uint64_t step, const Tensor& tables,
                  const std::vector<std::vector<View>>& sources) {
    const ComputeSetId compute_set = graph_.addComputeSet(sums_.name + "/multiUpdateAdd");
    visitPlaces(plan_, [&](const EmbeddingPlace& place) {
      const Range own = lookedUpIndices(plan_, step, place);
      const TableBlock block = blockOf(plan_, place);
      if (own.size() == 0 || block.elements() == 0) return;
      const LookUpShape shape{plan_.problem.type, block.rows.size(), block.columns.size(),
                              own.size(),         block.rows.begin,  plan_.problem.rows};
      const auto& vertex = types_.get({shape.rows, shape.elements, shape.offsets, shape.first_row},
                                      [&] { return multiUpdateAddVertex(shape); });
      graph_.addVertices(compute_set, {vertex,
                                       tileOf(plan_, place),
                                       1,
                                       {{indices_.slice(own.begin, own.end, 0).view()},
                                        {blockIn(tables, place).view()},
                                        {sources[place.look_up][place.column]},
                                        {scaleOf(place).view()}}});
    });
    program_.add(execute(compute_set));
  }

  /// Every tile of the plan has a scale of its own.
  [[nodiscard]] Tensor scaleOf(const EmbeddingPlace& place) const {
    const std::uint32_t number = placeNumber(plan_.splits, place);
    return scales_.slice(number, number + 1, 0);
  }

  using TypeKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
  Graph& graph_;
  const Architecture& machine_;
  const EmbeddingPlan& plan_;
  const Tensor& source_;
  const Tensor& indices_;
  std::uint64_t elements_;  ///< of the table
  const OpResult& sums_;
  Program& program_;
  Tensor scales_;
  TypeCache<TypeKey> types_;
};

}  // namespace

Tensor scatterAddRows(Graph& graph, const Architecture& machine, const PlannedUpdate& update,
                      const OpResult& sums, Program& program) {
  const EmbeddingProblem& problem = update.plan.problem;
  check(isUpdated(problem.use) && problem.update == RowUpdate::Add &&
            updatedType(problem) == problem.type,
        "a plan of sums of the table's type");
  check(update.indices.shape() == Shape{problem.indices} &&
            update.source.shape() == Shape{problem.indices, problem.columns},
        "a row for each index");
  return PlannedScatter(graph, machine, update, sums, program).table();
}

}  // namespace ipusim::workloads
