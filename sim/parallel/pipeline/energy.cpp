// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/energy.h"

#include <cmath>

#include "models/ipu/energy/price.h"

namespace ipusim::parallel {

namespace {

/// What the links of an IPU of a stage carry in a step. As much comes back as goes forward.
Bytes linkBytes(const ParallelTraining& training, const ParallelPrediction& prediction,
                std::size_t stage) {
  Bytes boundaries;
  if (stage + 1 < prediction.stages.size()) {
    boundaries += prediction.stages[stage].cost.sent_forward;
  }
  if (stage > 0) boundaries += prediction.stages[stage - 1].cost.sent_forward;
  Bytes bytes = training.micro_batches * boundaries;
  if (stage < prediction.collective.sent.size()) bytes += prediction.collective.sent[stage];
  return bytes;
}

/// Activations go to streaming memory and come back, and so does the state of the optimiser.
Bytes streamingBytes(const ParallelTraining& training, const StagePrediction& stage) {
  const bool streams = training.offload.activations && stage.stash_depth > 0;
  const Bytes batch = streams ? stage.cost.saved : stage.cost.spilled;
  const Bytes state = training.offload.optimizer_state ? stage.cost.optimizer : Bytes(0);
  return 2 * (training.micro_batches * batch + state);
}

/// What an IPU of a stage does in a step.
Activity activityOf(const ParallelTraining& training, const ParallelPrediction& prediction,
                    std::size_t stage) {
  const StageCost& cost = prediction.stages[stage].cost;
  Activity activity = cost.forward.activity * training.micro_batches;
  activity += cost.backward.activity * training.micro_batches;
  activity += cost.update.activity;
  activity.link_bytes = linkBytes(training, prediction, stage);
  activity.streaming_bytes = streamingBytes(training, prediction.stages[stage]);
  const Machine& ipu = training.system.ipu;
  activity.tile_cycles = Cycles(
      static_cast<std::uint64_t>(std::llround(prediction.step_seconds * ipu.clock_hz * ipu.tiles)));
  return activity;
}

}  // namespace

std::optional<run::RunEnergy> stepEnergy(const ParallelTraining& training,
                                         const ParallelPrediction& prediction) {
  const Machine& ipu = training.system.ipu;
  if (training.isPhased() || !energy::whyUnpriced(ipu).empty()) return std::nullopt;
  Activity all;
  for (std::size_t s = 0; s < prediction.stages.size(); ++s) {
    all += activityOf(training, prediction, s) * training.replicas;
  }
  const energy::PriceList prices({ipu, training.ipus()});
  energy::Counts counts = energy::countsOf(all, prediction.step_seconds, ipu);
  run::RunEnergy energy;
  static_cast<energy::EnergyResult&>(energy) = prices.price(counts);
  energy.watts = energy.joules / prediction.step_seconds;
  energy.priors_only_joules = energy::priorsOnly(energy.by_part);
  for (double& count : counts) count /= static_cast<double>(prediction.samples);
  energy.per_sample = prices.price(counts);
  return energy;
}

}  // namespace ipusim::parallel
