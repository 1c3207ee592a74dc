// SPDX-License-Identifier: Apache-2.0
#include "sim/run/chip_cost.h"

#include <cmath>
#include <numeric>

#include "models/ipu/energy/area.h"
#include "models/ipu/energy/price.h"

namespace ipusim::run {

namespace {

/// One chip of the machine.
const Machine& ipuOf(const Experiment& experiment) {
  const auto& pod = experiment.executable.pod;
  return pod ? pod->pod.ipu : experiment.executable.machine;
}

std::uint32_t ipusOf(const Experiment& experiment) {
  const auto& pod = experiment.executable.pod;
  return pod ? pod->pod.ipus : 1;
}

double sumOf(const EnergyByPart& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// Prices a run and what it is made of.
class RunPrices {
 public:
  RunPrices(const Experiment& experiment, const RunResult& run)
      : experiment_(experiment),
        run_(run),
        prices_({ipuOf(experiment), ipusOf(experiment)}),
        counts_(countsOf(run.activity)) {}

  [[nodiscard]] RunEnergy price() const {
    RunEnergy energy;
    static_cast<EnergyResult&>(energy) = prices_.price(counts_);
    energy.watts = energy.joules / run_.time.seconds;
    if (run_.work.flops > Flops(0)) {
      constexpr double kPico = 1e-12;
      const auto flops = static_cast<double>(run_.work.flops.value());
      energy.picojoules_per_flop = energy.joules / flops / kPico;
    }
    if (experiment_.workload.samples > 0) energy.per_sample = perSample();
    energy.priors_only_joules = energy::priorsOnly(energy.by_part);
    addParts(energy);
    return energy;
  }

 private:
  /// The counts of a part of the run, which has a share of its seconds.
  [[nodiscard]] energy::Counts countsOf(const Activity& part) const {
    const auto all = static_cast<double>(run_.activity.tile_cycles.value());
    const double share = all > 0 ? static_cast<double>(part.tile_cycles.value()) / all : 0;
    return energy::countsOf(part, share * run_.time.seconds, ipuOf(experiment_));
  }

  /// The chip waits while the host has its part of a training step.
  [[nodiscard]] EnergyResult perSample() const {
    energy::Counts counts = counts_;
    if (const auto& training = experiment_.workload.training) {
      const double seconds = static_cast<double>(training->total()) * training->host_step_seconds;
      const Machine& tiles = experiment_.executable.machine;
      Activity waits;
      waits.tile_cycles =
          Cycles(static_cast<std::uint64_t>(std::llround(seconds * tiles.clock_hz * tiles.tiles)));
      const energy::Counts waited = energy::countsOf(waits, seconds, ipuOf(experiment_));
      for (std::size_t p = 0; p < kEnergyParts; ++p) counts[p] += waited[p];
    }
    for (double& count : counts) count /= static_cast<double>(experiment_.workload.samples);
    return prices_.price(counts);
  }

  void addParts(RunEnergy& energy) const {
    energy.by_step.reserve(run_.steps.size());
    for (const StepResult& step : run_.steps) {
      energy.by_step.push_back(prices_.priceWithin(countsOf(step.activity), counts_, energy));
    }
    energy.by_tile.reserve(run_.tiles.size());
    for (const TileResult& tile : run_.tiles) {
      energy.by_tile.push_back(
          sumOf(prices_.priceWithin(countsOf(tile.activity), counts_, energy)));
    }
  }

  const Experiment& experiment_;
  const RunResult& run_;
  energy::PriceList prices_;
  energy::Counts counts_;
};

}  // namespace

void addCosts(const Experiment& experiment, RunResult& result) {
  const Machine& ipu = ipuOf(experiment);
  result.unpriced = energy::whyUnpriced(ipu);
  if (!result.unpriced.empty()) return;
  result.area = energy::areaOf(ipu);
  if (result.time.cycles > Cycles(0)) result.energy = RunPrices(experiment, result).price();
}

}  // namespace ipusim::run
