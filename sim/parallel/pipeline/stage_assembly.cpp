// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/stage_assembly.h"

#include <algorithm>
#include <numeric>

#include "sim/parallel/pipeline/schedule.h"
#include "sim/parallel/pipeline/streaming_rate.h"

namespace ipusim::parallel {

namespace {

/// A pass of a stage in seconds, with its copies between the chip and the memory beside it.
struct StagePass {
  PassTime chip;
  double seconds = 0;
  double streaming = 0;
};

class StageAssembly {
 public:
  StageAssembly(const ParallelTraining& training, ParallelPrediction& prediction)
      : training_(training),
        system_(training.system),
        routes_(training.system),
        rate_(streamingRate(training)),
        prediction_(prediction) {}

  void run() {
    for (const StagePrediction& stage : prediction_.stages) {
      const bool streams = training_.offload.activations && stage.stash_depth > 0;
      const double batch = rate_.seconds(streams ? stage.cost.saved : stage.cost.spilled);
      // The state is read and written.
      const double state =
          2 * rate_.seconds(training_.offload.optimizer_state ? stage.cost.optimizer : Bytes(0));
      forward_.push_back(pass(stage.cost.forward, batch));
      backward_.push_back(pass(stage.cost.backward, batch));
      update_.push_back(pass(stage.cost.update, state));
    }
    if (training_.execution == Execution::Sharded) {
      addShards();
      addShardBoundaries();
    } else {
      addPipeline();
      addBoundaries();
    }
    addUpdate();
  }

 private:
  [[nodiscard]] double seconds(double cycles) const { return cycles / system_.ipu.clock_hz; }

  [[nodiscard]] StagePass pass(const PassTime& chip, double streaming) const {
    return {chip, secondsOf(chip.length, system_.ipu.clock_hz) + streaming, streaming};
  }

  void spend(const StagePass& pass, double times, IpuTime& time) const {
    time.compute += times * seconds(pass.chip.compute_cycles);
    time.exchange += times * seconds(pass.chip.exchange_cycles);
    time.host += times * seconds(pass.chip.host_cycles);
    time.sync += times * seconds(pass.chip.syncCycles());
    time.streaming += times * pass.streaming;
  }

  /// What a stage is busy with in the cycles of a pattern.
  [[nodiscard]] double busy(std::size_t stage, const CyclePattern& pattern) const {
    return (pattern.forward[stage] ? forward_[stage].seconds : 0) +
           (pattern.backward[stage] ? backward_[stage].seconds : 0);
  }

  /// Spends all micro-batches. Gives what the stages take for one of them, one entry per stage.
  std::vector<double> spendBatches() {
    const auto batches = static_cast<double>(training_.micro_batches);
    std::vector<double> seconds;
    for (std::size_t s = 0; s < prediction_.stages.size(); ++s) {
      StagePrediction& stage = prediction_.stages[s];
      stage.forward_seconds = forward_[s].seconds;
      stage.backward_seconds = backward_[s].seconds;
      spend(forward_[s], batches, stage.time);
      spend(backward_[s], batches, stage.time);
      seconds.push_back(forward_[s].seconds + backward_[s].seconds);
    }
    return seconds;
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
    const std::vector<double> of_stages = spendBatches();
    const double sum = std::accumulate(of_stages.begin(), of_stages.end(), 0.0);
    const double longest = *std::max_element(of_stages.begin(), of_stages.end());
    StepParts& parts = prediction_.parts;
    parts.work = batches * sum / static_cast<double>(stages.size());
    parts.imbalance = batches * longest - parts.work;
    parts.fill = passes - batches * longest;
  }

  /// Stages work on a micro-batch one after the other, forward and then back.
  void addShards() {
    const std::vector<double> of_stages = spendBatches();
    const double sum = std::accumulate(of_stages.begin(), of_stages.end(), 0.0);
    const auto batches = static_cast<double>(training_.micro_batches);
    for (std::size_t s = 0; s < of_stages.size(); ++s) {
      prediction_.stages[s].time.bubble += batches * (sum - of_stages[s]);
    }
    StepParts& parts = prediction_.parts;
    parts.work = batches * sum / static_cast<double>(of_stages.size());
    parts.serial = batches * sum - parts.work;
  }

  /// Each boundary is crossed forward in one exchange and back in another.
  void addShardBoundaries() {
    double once = 0;
    for (std::uint32_t s = 0; s + 1 < training_.stages; ++s) {
      const Bytes bytes = prediction_.stages[s].cost.sent_forward;
      once += exchangeSeconds(replicaFlows(s, s + 1, bytes));
      once += exchangeSeconds(replicaFlows(s + 1, s, bytes));
    }
    const auto batches = static_cast<double>(training_.micro_batches);
    addExchanges(once, batches, 2 * batches * (training_.stages - 1));
  }

  /// One flow in each replica.
  [[nodiscard]] std::vector<models::Flow> replicaFlows(std::uint32_t from, std::uint32_t to,
                                                       Bytes bytes) const {
    std::vector<models::Flow> flows;
    for (std::uint32_t replica = 0; replica < training_.replicas; ++replica) {
      const std::uint32_t first = replica * training_.stages;
      flows.push_back({first + from, first + to, bytes});
    }
    return flows;
  }

  [[nodiscard]] double exchangeSeconds(const std::vector<models::Flow>& flows) const {
    return models::globalExchangeSeconds(system_, routes_, flows, training_.ipus());
  }

  /// Exchanges of `once` seconds that come `times` times, with so many syncs in all.
  void addExchanges(double once, double times, double syncs) {
    prediction_.boundary_seconds = once;
    prediction_.parts.boundaries = times * once;
    const double sync = syncs * models::externalSyncSeconds(system_, training_.ipus());
    for (StagePrediction& stage : prediction_.stages) {
      stage.time.sync += sync;
      stage.time.links += times * once - sync;
    }
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
    const auto cycles = static_cast<double>(prediction_.pipeline_cycles);
    addExchanges(exchangeSeconds(flows), cycles, cycles);
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
    collective = gradientCollective(system_, groups, gradients, training_.collective);
    StepParts& parts = prediction_.parts;
    parts.update = longest;
    parts.collectives = collective.seconds;
    parts.host = training_.host_step_seconds;
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
  const System& system_;
  models::Routes routes_;
  StreamingRate rate_;
  ParallelPrediction& prediction_;
  std::vector<StagePass> forward_;
  std::vector<StagePass> backward_;
  std::vector<StagePass> update_;
};

}  // namespace

void addStageTimes(const ParallelTraining& training, ParallelPrediction& prediction) {
  StageAssembly(training, prediction).run();
}

}  // namespace ipusim::parallel
