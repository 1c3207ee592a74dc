// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/config/size_error.h"
#include "ipusim/error.h"
#include "sim/parallel/pipeline/cuts.h"
#include "sim/parallel/pipeline/energy.h"
#include "sim/parallel/pipeline/phase_assembly.h"
#include "sim/parallel/pipeline/stage_assembly.h"
#include "sim/report/text/quantity.h"
#include "sim/run/uncertainty.h"

namespace ipusim::parallel {

const StagePrediction* ParallelPrediction::firstOverflow() const {
  const auto found = std::find_if(stages.begin(), stages.end(), [](const StagePrediction& stage) {
    return stage.cost.overflow.has_value();
  });
  return found == stages.end() ? nullptr : &*found;
}

namespace {

/// The first machine whose streaming memory does not hold what its IPUs keep there, if any.
std::optional<StreamingOverflow> streamingOverflow(const ParallelTraining& training,
                                                   const ParallelPrediction& prediction) {
  const StreamingMemory& memory = training.system.ipu.streaming;
  if (memory.ipus == 0) return std::nullopt;
  for (std::uint32_t first = 0; first < training.ipus(); first += memory.ipus) {
    const std::uint32_t end = std::min(first + memory.ipus, training.ipus());
    Bytes needed;
    for (std::uint32_t ipu = first; ipu < end; ++ipu) {
      needed += prediction.stages[ipu % training.stages].cost.streaming;
    }
    if (needed > Bytes(memory.bytes)) {
      return StreamingOverflow{first, end - 1, needed, Bytes(memory.bytes)};
    }
  }
  return std::nullopt;
}

/// The share of the step that is no work of vertices, mean over the stages. An IPU in a bubble
/// waits for the work of another.
double linksShare(const ParallelPrediction& prediction) {
  double share = 0;
  for (const StagePrediction& stage : prediction.stages) {
    const IpuTime& time = stage.time;
    share += (time.exchange + time.links + time.streaming + time.sync) / time.sum();
  }
  return share / static_cast<double>(prediction.stages.size());
}

void addBand(const ParallelTraining& training, ParallelPrediction& prediction) {
  const double spread = run::spreadOf(training.sizes.text("kind")).spread;
  const double links = training.ipus() == 1 ? prediction.parts.streaming / prediction.step_seconds
                                            : linksShare(prediction);
  const double links_spread = run::spreadOf(run::kAnyLinks).spread;
  const double relative = std::hypot((1 - links) * spread, links * links_spread);
  prediction.low_seconds = prediction.step_seconds * std::exp(-relative);
  prediction.high_seconds = prediction.step_seconds * std::exp(relative);
}

void addStages(const ParallelTraining& training, StageMeter& meter,
               ParallelPrediction& prediction) {
  std::uint32_t stage = 0;
  for (const workloads::ModuleRange& range : sectionCuts(training, meter)) {
    const std::uint64_t depth = training.stashDepth(stage);
    prediction.stages.push_back({range, meter.cost(range, depth), depth, {}});
    ++stage;
  }
  addStageTimes(training, prediction);
}

ParallelPrediction predicted(const ParallelTraining& training, Engine engine,
                             const run::OnWorkEstimate& on_estimate) {
  ParallelPrediction prediction;
  prediction.engine = engine;
  prediction.cuts_are_chosen = training.modules.empty();
  StageMeter meter(training, engine, on_estimate);
  if (training.isPhased()) {
    addPhases(training, meter, prediction);
  } else {
    addStages(training, meter, prediction);
  }
  prediction.step_seconds = prediction.parts.sum();
  prediction.samples = training.network->batch() * training.micro_batches * training.replicas;
  prediction.programs = meter.programs();
  prediction.streaming_overflow = streamingOverflow(training, prediction);
  addBand(training, prediction);
  prediction.energy = stepEnergy(training, prediction);
  return prediction;
}

}  // namespace

ParallelPrediction predictParallel(const ParallelTraining& training, Engine engine,
                                   const run::OnWorkEstimate& on_estimate) {
  if (engine == Engine::SystemC && training.system.ipu.exchange == ExchangeMode::Bound) {
    throw ConfigError(training.system.name +
                      ": wanted an IPU with exchange = \"scheduled\", found \"bound\", which only "
                      "--engine closed-form computes");
  }
  return withinLimits(training.sizes, [&] { return predicted(training, engine, on_estimate); });
}

std::string limitOf(const ParallelPrediction& prediction) {
  const StepParts& parts = prediction.parts;
  double streaming = 0;
  for (const StagePrediction& stage : prediction.stages) {
    streaming = std::max(streaming, stage.time.streaming);
  }
  const std::array<std::pair<double, const char*>, 8> losses = {{
      {parts.serial,
       "waiting for the other IPUs of a replica, of which one works at a time: a pipeline, or "
       "replicas in place of these IPUs, would help"},
      {streaming, prediction.phases.empty()
                      ? "transfers to and from streaming memory: less in streaming memory, or "
                        "recomputation, would help"
                      : "transfers to and from streaming memory that no computing hides: fewer "
                        "phases, or less in streaming memory, would help"},
      {parts.fill,
       "filling and flushing the pipeline: more micro-batches per update, or fewer "
       "stages, would help"},
      {parts.imbalance, prediction.cuts_are_chosen
                            ? "stages of unequal length, which no other cut between modules makes "
                              "more equal: fewer stages would help"
                            : "stages of unequal length: other cuts would help"},
      {parts.boundaries,
       "exchanges between stages: larger micro-batches or fewer stages would "
       "help"},
      {parts.collectives,
       "exchanges of gradients between replicas: more micro-batches per update "
       "would help"},
      {parts.update,
       "the update on the chip, with sums over replicas: more micro-batches per update would help"},
      {parts.host, "the host's part of each step: more micro-batches per update would help"},
  }};
  const auto* const worst = std::max_element(
      losses.begin(), losses.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  const double share = worst->first / prediction.step_seconds;
  if (worst->first > 0) {
    return fmt::format("{} of the step goes into {}.", report::percentText(share), worst->second);
  }
  return fmt::format("{} of the step is work on micro-batches.",
                     report::percentText(prediction.efficiency()));
}

}  // namespace ipusim::parallel
