// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/size_error.h"
#include "ipusim/error.h"
#include "sim/parallel/pipeline/cuts.h"
#include "sim/report/quantity.h"
#include "sim/run/uncertainty.h"

namespace ipusim::parallel {

namespace {

/// A phase of a stage in seconds, with its copies between the chip and the memory beside it.
struct StagePhase {
  PhaseTime chip;
  double seconds = 0;
  double streaming = 0;
};

class Assembly {
 public:
  Assembly(const ParallelTraining& training, ParallelPrediction& prediction)
      : training_(training), pod_(training.pod), routes_(training.pod), prediction_(prediction) {}

  void run() {
    for (const StagePrediction& stage : prediction_.stages) {
      const double batch =
          streamed(stage.stash_depth > 0 ? stage.cost.saved : Bytes(0), training_.activations);
      // The state is read and written.
      const double state = 2 * streamed(stage.cost.optimizer, training_.optimizer);
      forward_.push_back(phase(stage.cost.forward, batch));
      backward_.push_back(phase(stage.cost.backward, batch));
      update_.push_back(phase(stage.cost.update, state));
    }
    addPipeline();
    addBoundaries();
    addUpdate();
    prediction_.step_seconds = prediction_.parts.sum();
    prediction_.samples = training_.network.batch * training_.micro_batches * training_.replicas;
  }

 private:
  [[nodiscard]] double seconds(double cycles) const { return cycles / pod_.ipu.clock_hz; }

  /// One transfer of `bytes` to or from the memory that IPUs share. All of them transfer at once.
  [[nodiscard]] double streamed(Bytes bytes, Storage storage) const {
    if (storage == Storage::OnChip || bytes == Bytes(0)) return 0;
    const StreamingMemory& memory = pod_.ipu.streaming;
    const std::uint64_t sharing = std::min(memory.ipus, training_.ipus());
    const double rate =
        std::min(static_cast<double>(memory.ipu_bytes_per_second),
                 static_cast<double>(memory.bytes_per_second) / static_cast<double>(sharing));
    return seconds(static_cast<double>(pod_.timing.fixed.value())) +
           static_cast<double>(bytes.value()) / rate;
  }

  [[nodiscard]] StagePhase phase(const PhaseTime& chip, double streaming) const {
    return {chip, secondsOf(chip.length, pod_.ipu.clock_hz) + streaming, streaming};
  }

  void spend(const StagePhase& phase, double times, IpuTime& time) const {
    time.compute += times * seconds(phase.chip.compute_cycles);
    time.exchange += times * seconds(phase.chip.exchange_cycles);
    time.host += times * seconds(phase.chip.host_cycles);
    time.sync += times * seconds(phase.chip.syncCycles());
    time.streaming += times * phase.streaming;
  }

  /// What a stage is busy with in the cycles of a pattern.
  [[nodiscard]] double busy(std::size_t stage, const CyclePattern& pattern) const {
    return (pattern.forward[stage] ? forward_[stage].seconds : 0) +
           (pattern.backward[stage] ? backward_[stage].seconds : 0);
  }

  void addPipeline() {
    const PipelineSchedule schedule(training_.stages, training_.micro_batches);
    prediction_.pipeline_cycles = schedule.cycles();
    prediction_.ramp_cycles = schedule.rampCycles();
    std::vector<StagePrediction>& stages = prediction_.stages;
    const auto batches = static_cast<double>(training_.micro_batches);
    double passes = 0;
    for (const CyclePattern& pattern : schedule.patterns()) {
      const auto cycles = static_cast<double>(pattern.cycles);
      double longest = 0;
      for (std::size_t s = 0; s < stages.size(); ++s) longest = std::max(longest, busy(s, pattern));
      for (std::size_t s = 0; s < stages.size(); ++s) {
        stages[s].time.bubble += cycles * (longest - busy(s, pattern));
      }
      passes += cycles * longest;
    }
    double sum = 0;
    double longest = 0;
    for (std::size_t s = 0; s < stages.size(); ++s) {
      spend(forward_[s], batches, stages[s].time);
      spend(backward_[s], batches, stages[s].time);
      const double batch = forward_[s].seconds + backward_[s].seconds;
      sum += batch;
      longest = std::max(longest, batch);
    }
    StepParts& parts = prediction_.parts;
    parts.work = batches * sum / static_cast<double>(stages.size());
    parts.imbalance = batches * longest - parts.work;
    parts.fill = passes - batches * longest;
  }

  /// After each cycle all boundaries of all replicas are in one exchange.
  void addBoundaries() {
    if (training_.stages == 1) return;
    std::vector<models::Flow> flows;
    for (std::uint32_t replica = 0; replica < training_.replicas; ++replica) {
      for (std::uint32_t s = 0; s + 1 < training_.stages; ++s) {
        const std::uint32_t ipu = replica * training_.stages + s;
        const Bytes bytes = prediction_.stages[s].cost.sent_forward;
        flows.push_back({ipu, ipu + 1, bytes});
        flows.push_back({ipu + 1, ipu, bytes});
      }
    }
    const double once = models::globalExchangeSeconds(pod_, routes_, flows, training_.ipus());
    prediction_.boundary_seconds = once;
    const auto cycles = static_cast<double>(prediction_.pipeline_cycles);
    prediction_.parts.boundaries = cycles * once;
    const double sync = cycles * models::externalSyncSeconds(pod_, training_.ipus());
    for (StagePrediction& stage : prediction_.stages) {
      stage.time.sync += sync;
      stage.time.links += cycles * once - sync;
    }
  }

  void addUpdate() {
    std::vector<Bytes> gradients;
    double longest = 0;
    for (std::size_t s = 0; s < prediction_.stages.size(); ++s) {
      gradients.push_back(prediction_.stages[s].cost.gradients);
      longest = std::max(longest, update_[s].seconds);
    }
    const ReplicaGroups groups{training_.stages, training_.rackReplicas(), training_.racks()};
    CollectiveTime& collective = prediction_.collective;
    collective = gradientCollective(pod_, groups, gradients, training_.collective);
    StepParts& parts = prediction_.parts;
    parts.update = longest;
    parts.collectives = collective.seconds;
    parts.host = training_.network.host_step_seconds;
    for (std::size_t s = 0; s < prediction_.stages.size(); ++s) {
      IpuTime& time = prediction_.stages[s].time;
      spend(update_[s], 1, time);
      time.bubble += longest - update_[s].seconds;
      time.links += collective.seconds - collective.sync_seconds;
      time.sync += collective.sync_seconds;
      time.host += parts.host;
    }
  }

  const ParallelTraining& training_;
  const Pod& pod_;
  models::Routes routes_;
  ParallelPrediction& prediction_;
  std::vector<StagePhase> forward_;
  std::vector<StagePhase> backward_;
  std::vector<StagePhase> update_;
};

}  // namespace

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
  const StreamingMemory& memory = training.pod.ipu.streaming;
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
  const double links = training.ipus() == 1 ? 0 : linksShare(prediction);
  const double links_spread = run::spreadOf(run::kAnyLinks).spread;
  const double relative = std::hypot((1 - links) * spread, links * links_spread);
  prediction.low_seconds = prediction.step_seconds * std::exp(-relative);
  prediction.high_seconds = prediction.step_seconds * std::exp(relative);
}

ParallelPrediction predicted(const ParallelTraining& training, Engine engine,
                             const run::HearWork& hear) {
  ParallelPrediction prediction;
  prediction.engine = engine;
  prediction.cuts_are_chosen = training.modules.empty();
  StageMeter meter(training, engine, hear);
  const PipelineSchedule schedule(training.stages, training.micro_batches);
  std::uint32_t stage = 0;
  for (const workloads::ModuleRange& range : stageCuts(training, meter)) {
    const std::uint64_t depth = schedule.stashDepth(stage);
    prediction.stages.push_back({range, meter.cost(range, depth), depth, {}});
    ++stage;
  }
  prediction.programs = meter.programs();
  prediction.streaming_overflow = streamingOverflow(training, prediction);
  Assembly(training, prediction).run();
  addBand(training, prediction);
  return prediction;
}

}  // namespace

ParallelPrediction predictParallel(const ParallelTraining& training, Engine engine,
                                   const run::HearWork& hear) {
  if (engine == Engine::SystemC && training.pod.ipu.exchange == ExchangeMode::Bound) {
    throw ConfigError(training.pod.name +
                      ": wanted an IPU with exchange = \"scheduled\", found \"bound\", which only "
                      "--engine closed-form computes");
  }
  return withinLimits(training.sizes, [&] { return predicted(training, engine, hear); });
}

std::string limitOf(const ParallelPrediction& prediction) {
  const StepParts& parts = prediction.parts;
  double streaming = 0;
  for (const StagePrediction& stage : prediction.stages) {
    streaming = std::max(streaming, stage.time.streaming);
  }
  const std::array<std::pair<double, const char*>, 7> losses = {{
      {streaming,
       "transfers to and from streaming memory: less in streaming memory, or recomputation, would "
       "help"},
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
    return fmt::format("{} of the step goes into {}.", run::percentText(share), worst->second);
  }
  return fmt::format("{} of the step is work on micro-batches.",
                     run::percentText(prediction.efficiency()));
}

}  // namespace ipusim::parallel
