// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <tuple>

#include "ipusim/error.h"
#include "workloads/ops/gather/candidates.h"
#include "workloads/ops/gather/planned_look_ups.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {
namespace {

/// The look-ups of one gather. The arguments of the constructor must outlive this object.
class PlannedGather {
 public:
  PlannedGather(Graph& graph, const Architecture& machine, const PlannedLookUp& look_up,
                const std::string& name, Program& program)
      : graph_(graph),
        machine_(machine),
        plan_(look_up.plan),
        table_(storageOf(
            graph, arrangeTable(graph, plan_, {look_up.table, plan_.problem.rows}, name, program))),
        indices_(consecutive(graph, machine, look_up.indices, name + "/indices", program)),
        name_(name),
        program_(program) {}

  Tensor slices() {
    const EmbeddingProblem& problem = plan_.problem;
    const Tensor all =
        graph_.addVariable(problem.type, {problem.indices * problem.columns}, name_ + "/Out");
    graph_.setShape(all, {problem.indices, problem.columns});
    if (plan_.splits.broadcast == TableBroadcast::BeforeSteps) broadcastTable();
    std::vector<Tensor> results;
    for (std::uint64_t step = 0; step < plan_.splits.serial; ++step) {
      const StepSlices slices(plan_, step);
      const Range& own = slices.indices();
      if (own.size() == 0) continue;
      const Tensor storage = all.slice(own.begin * problem.columns, own.end * problem.columns, 0);
      slices.map(graph_, storage);
      addStep(step, slices, storage);
      results.push_back(slices.matrix(storage));
    }
    return concat(results, 0);
  }

 private:
  /// Gives each look-up part a copy of the table.
  void broadcastTable() {
    const std::uint64_t parts = plan_.splits.look_ups;
    const std::uint64_t elements = table_.elements();
    copies_ = graph_.addVariable(plan_.problem.type, {parts * elements}, name_ + "/tables");
    visitPlaces(plan_, [&](const EmbeddingPlace& place) {
      const Tensor block = blockAt(place);
      if (block.elements() > 0) graph_.setTileMapping(block, tileOf(plan_, place));
    });
    const Tensor repeated = table_.reshape({1, elements}).broadcast(parts, 0);
    program_.add(graph_.copy(repeated, copies_->reshape({parts, elements}), name_ + "/tables"));
  }

  /// The block of the table in which a place looks up.
  [[nodiscard]] Tensor blockAt(const EmbeddingPlace& place) const {
    if (!copies_) return tableBlock(plan_, table_, place);
    const std::uint64_t elements = table_.elements();
    const Tensor own = copies_->slice(place.look_up * elements, (place.look_up + 1) * elements, 0);
    return tableBlock(plan_, own, place);
  }

  void addStep(std::uint64_t step, const StepSlices& slices, const Tensor& storage) {
    std::optional<Candidates> candidates;
    if (hasCandidates(plan_)) candidates.emplace(graph_, machine_, plan_, step, name_);
    const ComputeSetId compute_set = graph_.addComputeSet(name_ + "/multiSlice");
    visitPlaces(plan_, [&](const EmbeddingPlace& place) {
      const Range own =
          candidates ? candidates->indices(place) : lookedUpIndices(plan_, step, place);
      const TableBlock block = blockOf(plan_, place);
      if (own.size() == 0 || block.elements() == 0) return;
      const Tensor found =
          candidates ? candidates->found(place) : slices.slices(storage, place, own);
      const LookUpShape shape{plan_.problem.type, block.rows.size(), block.columns.size(),
                              own.size(),         block.rows.begin,  plan_.problem.rows};
      const auto& vertex = types_.get({shape.rows, shape.elements, shape.offsets, shape.first_row},
                                      [&] { return multiSliceVertex(shape); });
      graph_.addVertices(compute_set, {vertex,
                                       tileOf(plan_, place),
                                       1,
                                       {{indices_.slice(own.begin, own.end, 0).view()},
                                        {blockAt(place).view()},
                                        {found.view()}}});
    });
    program_.add(execute(compute_set));
    if (candidates) candidates->pick({indices_, slices, storage}, program_);
  }

  using TypeKey = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;
  Graph& graph_;
  const Architecture& machine_;
  const EmbeddingPlan& plan_;
  Tensor table_;  ///< its storage
  std::optional<Tensor> copies_;
  Tensor indices_;
  const std::string& name_;
  Program& program_;
  TypeCache<TypeKey> types_;
};

}  // namespace

Tensor gatherRows(Graph& graph, const Architecture& machine, const PlannedLookUp& look_up,
                  const std::string& name, Program& program) {
  const EmbeddingProblem& problem = look_up.plan.problem;
  check(isSliced(problem.use) && look_up.indices.shape() == Shape{problem.indices},
        "as many look-ups as planned");
  return PlannedGather(graph, machine, look_up, name, program).slices();
}

}  // namespace ipusim::workloads
