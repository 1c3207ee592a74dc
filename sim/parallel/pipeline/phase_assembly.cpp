// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/phase_assembly.h"

#include <optional>
#include <utility>

#include "sim/parallel/pipeline/cuts.h"

namespace ipusim::parallel {

namespace {

PhaseIo phaseIo(const ParallelTraining& training) {
  const Machine& ipu = training.system.ipu;
  const double of_tile = static_cast<double>(ipu.fabric.exchange_rate.value()) * ipu.clock_hz;
  return {training.micro_batches,   ipu.clock_hz,    streamingRate(training),
          training.phased.schedule, training.stages, training.phased.io_tiles * of_tile};
}

class PhaseAssembly {
 public:
  PhaseAssembly(const ParallelTraining& training, ParallelPrediction& prediction)
      : training_(training), prediction_(prediction) {}

  void run() {
    for (std::size_t p = 0; p < prediction_.phases.size(); ++p) {
      const PhasePrediction& phase = prediction_.phases[p];
      addParts(phase.cost);
      for (std::uint32_t ipu = 0; ipu < training_.stages; ++ipu) {
        StagePrediction& stage = prediction_.stages[ipu];
        if (ipu == ipuOf(training_, phase.phase.section)) {
          spend(phase, stage.time);
          keepFullest(p, stage);
        } else {
          stage.time.bubble += phase.cost.total() - phase.cost.rows - phase.cost.collectives;
        }
        addLinks(phase, stage.time);
      }
    }
    shareWork();
  }

 private:
  void addParts(const PhaseCost& cost) {
    StepParts& parts = prediction_.parts;
    parts.work += cost.compute;
    parts.streaming += cost.exposed() + cost.hand_over;
    parts.boundaries += cost.rows;
    parts.collectives += cost.collectives;
    parts.update += cost.update;
  }

  /// One IPU of a replica computes at a time.
  void shareWork() {
    StepParts& parts = prediction_.parts;
    const double work = parts.work / static_cast<double>(training_.stages);
    parts.serial = parts.work - work;
    parts.work = work;
    parts.host = training_.host_step_seconds;
    for (StagePrediction& stage : prediction_.stages) stage.time.host += parts.host;
  }

  void spend(const PhasePrediction& phase, IpuTime& time) const {
    const double hz = training_.system.ipu.clock_hz;
    const auto add = [&](const PassTime& pass, double times) {
      time.compute += times * pass.compute_cycles / hz;
      time.exchange += times * pass.exchange_cycles / hz;
      time.host += times * pass.host_cycles / hz;
      time.sync += times * pass.syncCycles() / hz;
    };
    add(phase.phase.batch, static_cast<double>(training_.micro_batches));
    add(phase.phase.update, 1);
    time.exchange += phase.cost.hand_over;
    time.streaming += phase.cost.exposed();
  }

  /// All IPUs take part in what goes over links.
  void addLinks(const PhasePrediction& phase, IpuTime& time) const {
    const Phase& of = phase.phase;
    const double sync = static_cast<double>(training_.micro_batches) * of.row_link.sync +
                        of.gather.sync + of.gradients.sync;
    time.sync += sync;
    time.links += phase.cost.rows + phase.cost.collectives - sync;
  }

  /// What is furthest over comes before what is fullest.
  static std::pair<Bytes, Bytes> fullness(const std::optional<StageOverflow>& overflow,
                                          Bytes max_tile_bytes) {
    return {overflow ? overflow->lacking() : Bytes(0), max_tile_bytes};
  }

  void keepFullest(std::size_t p, StagePrediction& stage) const {
    const PhaseMemory& memory = prediction_.phases[p].memory;
    if (fullness(memory.overflow, memory.max_tile_bytes) <=
        fullness(stage.cost.overflow, stage.cost.max_tile_bytes)) {
      return;
    }
    stage.fullest_phase = p;
    stage.cost.held = memory.held;
    stage.cost.max_tile_bytes = memory.max_tile_bytes;
    stage.cost.overflow = memory.overflow;
  }

  const ParallelTraining& training_;
  ParallelPrediction& prediction_;
};

}  // namespace

void addPhases(const ParallelTraining& training, StageMeter& meter,
               ParallelPrediction& prediction) {
  std::vector<Section> sections;
  for (const workloads::ModuleRange& range : sectionCuts(training, meter)) {
    sections.push_back({range, &meter.program(range)});
  }
  const PhasePlan plan = phasePlan(training, sections);
  const std::vector<PhaseCost> costs = phaseCosts(plan.phases, phaseIo(training));
  const std::vector<PhaseMemory> memories = phaseMemories(training, sections, plan.phases);
  for (std::size_t p = 0; p < plan.phases.size(); ++p) {
    const Phase& phase = plan.phases[p];
    prediction.phases.push_back({sections[phase.section].modules, phase, costs[p], memories[p]});
  }
  for (const Bytes bytes : streamingBytes(training, sections)) {
    StagePrediction stage{};
    stage.cost.streaming = bytes;
    prediction.stages.push_back(stage);
  }
  prediction.collective = plan.collective;
  PhaseAssembly(training, prediction).run();
}

}  // namespace ipusim::parallel
