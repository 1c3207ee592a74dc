// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/phase_plan.h"

#include <algorithm>
#include <utility>

#include "models/ipu/cost/movement/copy.h"

namespace ipusim::parallel {

namespace {

bool sharesWeights(const ParallelTraining& training) {
  return training.offload.weights && training.shards_optimizer;
}

class Planner {
 public:
  Planner(const ParallelTraining& training, const std::vector<Section>& sections)
      : training_(training),
        sections_(sections),
        routes_(training.system),
        groups_{training.stages, training.rackReplicas(), training.racks()} {
    plan_.collective.sent.assign(training.stages, Bytes(0));
  }

  PhasePlan run() {
    const std::size_t last = sections_.size() - 1;
    for (std::size_t s = 0; s < last; ++s) add(s, PhaseKind::Forward);
    add(last, PhaseKind::Turn);
    for (std::size_t s = last; s-- > 0;) add(s, PhaseKind::Backward);
    return std::move(plan_);
  }

 private:
  void add(std::size_t s, PhaseKind kind) {
    Phase phase;
    phase.section = s;
    phase.kind = kind;
    setPasses(phase);
    setRows(phase);
    setParameters(phase);
    plan_.phases.push_back(phase);
  }

  [[nodiscard]] const StageCost& costOf(const Phase& phase) const {
    return sections_[phase.section].program->cost;
  }

  void setPasses(Phase& phase) const {
    const StageCost& cost = costOf(phase);
    if (phase.kind != PhaseKind::Backward) phase.batch = cost.forward;
    if (phase.kind == PhaseKind::Forward) return;
    if (phase.kind == PhaseKind::Backward && training_.recomputes) phase.batch += cost.forward;
    phase.batch += cost.backward;
    phase.update = cost.update;
  }

  void setRows(Phase& phase) const {
    const SectionRows rows = rowsOf(training_, sections_, phase.section);
    // The row for the phase that comes next. The turn and backward phases hand on gradients.
    const Bytes next = phase.kind == PhaseKind::Forward ? rows.result : rows.input;
    Transfers moved = transfersOf(phase.kind, rows);
    if (training_.stages == 1) {
      moved.store += next;
    } else {
      phase.row_link = linkTo(phase, next);
    }
    if (training_.offload.activations) {
      phase.rows = moved;
      if (training_.stages == 2) phase.sent = next;
    } else if (phase.kind != PhaseKind::Turn) {
      addStashCopy(phase);
    }
  }

  /// Rows that stay with the IPU.
  static Transfers transfersOf(PhaseKind kind, const SectionRows& rows) {
    switch (kind) {
      case PhaseKind::Forward:
        return {rows.input, rows.fresh};
      case PhaseKind::Turn:
        return {rows.input, Bytes(0)};
      case PhaseKind::Backward:
        break;
    }
    return {rows.kept + rows.result, Bytes(0)};
  }

  [[nodiscard]] LinkTime linkTo(const Phase& phase, Bytes bytes) const {
    if (bytes == Bytes(0)) return {};
    const std::uint32_t from = ipuOf(training_, phase.section);
    std::vector<models::Flow> flows;
    for (std::uint32_t replica = 0; replica < training_.replicas; ++replica) {
      flows.push_back({2 * replica + from, 2 * replica + 1 - from, bytes});
    }
    return {models::globalExchangeSeconds(training_.system, routes_, flows, training_.ipus()),
            models::externalSyncSeconds(training_.system, training_.ipus())};
  }

  /// Adds the copy on the tiles between what a pass has at hand and the rows that wait there.
  void addStashCopy(Phase& phase) const {
    const SectionProgram& program = *sections_[phase.section].program;
    const std::vector<Bytes>& kept = training_.recomputes ? program.input : program.saved;
    const Bytes most = *std::max_element(kept.begin(), kept.end());
    const Cycles copy = models::copyCycles(training_.system.ipu, {{{1, most}}});
    phase.batch += PassTime{copy, static_cast<double>(copy.value())};
  }

  void setParameters(Phase& phase) {
    const Section& section = sections_[phase.section];
    if (training_.offload.weights) phase.weights = offloadedWeights(training_, section);
    const std::uint32_t ipu = ipuOf(training_, phase.section);
    std::vector<Bytes> bytes(training_.stages);
    bytes[ipu] = costOf(phase).gradients;
    if (sharesWeights(training_) && bytes[ipu] > Bytes(0)) {
      phase.gather = counted(shareGather(training_.system, groups_, bytes, training_.collective));
    }
    if (phase.kind == PhaseKind::Forward) return;
    if (training_.offload.optimizer_state) phase.state = costOf(phase).optimizer;
    phase.updated = phase.weights + phase.state;
    if (training_.replicas == 1 || bytes[ipu] == Bytes(0)) return;
    // Shares of weights go to streaming memory, and come together when they are loaded.
    phase.gradients = counted((sharesWeights(training_) ? gradientReduction : gradientCollective)(
        training_.system, groups_, bytes, training_.collective));
  }

  LinkTime counted(const CollectiveTime& time) {
    CollectiveTime& all = plan_.collective;
    all.method = time.method;
    all.exchanges += time.exchanges;
    all.seconds += time.seconds;
    all.sync_seconds += time.sync_seconds;
    for (std::size_t ipu = 0; ipu < all.sent.size(); ++ipu) all.sent[ipu] += time.sent[ipu];
    return {time.seconds, time.sync_seconds};
  }

  const ParallelTraining& training_;
  const std::vector<Section>& sections_;
  models::Routes routes_;
  ReplicaGroups groups_;
  PhasePlan plan_;
};

}  // namespace

SectionRows rowsOf(const ParallelTraining& training, const std::vector<Section>& sections,
                   std::size_t s) {
  const SectionProgram& program = *sections[s].program;
  SectionRows rows;
  if (s > 0) rows.input = sections[s - 1].program->cost.sent_forward;
  if (s + 1 == sections.size()) return rows;
  rows.result = program.cost.sent_forward;
  rows.kept = sumOf(training.recomputes ? program.input : program.saved);
  const bool keeps_input = training.recomputes || program.saves_input;
  rows.fresh = s > 0 && keeps_input ? excess(rows.kept, sumOf(program.input)) : rows.kept;
  return rows;
}

Bytes offloadedWeights(const ParallelTraining& training, const Section& section) {
  if (!sharesWeights(training)) return sumOf(section.program->weights);
  return Bytes(section.program->cost.gradients.value() / training.rackReplicas());
}

PhasePlan phasePlan(const ParallelTraining& training, const std::vector<Section>& sections) {
  return Planner(training, sections).run();
}

}  // namespace ipusim::parallel
