// SPDX-License-Identifier: Apache-2.0
#include "sim/run/chip_cost.h"

#include <cmath>
#include <numeric>

#include "models/ipu/energy/area.h"

namespace ipusim::run {

namespace {

double sumOf(const energy::EnergyByPart& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

/// Prices a run and what it is made of.
class RunPrices {
 public:
  RunPrices(const energy::Site& site, const Result& run)
      : site_(site), run_(run), prices_(site), counts_(countsOf(run.activity)) {}

  [[nodiscard]] RunEnergy price() const {
    RunEnergy energy;
    static_cast<energy::EnergyResult&>(energy) = prices_.price(counts_);
    energy.watts = energy.joules / run_.time.seconds;
    if (run_.work.flops > Flops(0)) {
      constexpr double kPico = 1e-12;
      const auto flops = static_cast<double>(run_.work.flops.value());
      energy.picojoules_per_flop = energy.joules / flops / kPico;
    }
    energy.priors_only_joules = energy::priorsOnly(energy.by_part);
    energy.by_step.reserve(run_.steps.size());
    for (const StepResult& step : run_.steps) {
      energy.by_step.push_back(prices_.priceWithin(countsOf(step.activity), counts_, energy));
    }
    return energy;
  }

  void addTiles(RunEnergy& energy) const {
    energy.by_tile.reserve(run_.tiles.size());
    for (const TileResult& tile : run_.tiles) {
      energy.by_tile.push_back(
          sumOf(prices_.priceWithin(countsOf(tile.activity), counts_, energy)));
    }
  }

  /// The chip waits while the host has its part of a training step.
  [[nodiscard]] energy::EnergyResult perSample(const Experiment& experiment) const {
    energy::Counts counts = counts_;
    if (const auto& training = experiment.workload.training) {
      const double seconds = static_cast<double>(training->total()) * training->host_step_seconds;
      const System& system = experiment.executable.system;
      Activity waits;
      waits.tile_cycles = Cycles(
          static_cast<std::uint64_t>(std::llround(seconds * system.ipu.clock_hz * system.tiles())));
      const energy::Counts waited = energy::countsOf(waits, seconds, site_.ipu);
      for (std::size_t p = 0; p < energy::kEnergyParts; ++p) counts[p] += waited[p];
    }
    for (double& count : counts) count /= static_cast<double>(experiment.workload.samples);
    return prices_.price(counts);
  }

 private:
  /// The counts of a part of the run, which has a share of its seconds.
  [[nodiscard]] energy::Counts countsOf(const Activity& part) const {
    const auto all = static_cast<double>(run_.activity.tile_cycles.value());
    const double share = all > 0 ? static_cast<double>(part.tile_cycles.value()) / all : 0;
    return energy::countsOf(part, share * run_.time.seconds, site_.ipu);
  }

  energy::Site site_;
  const Result& run_;
  energy::PriceList prices_;
  energy::Counts counts_;
};

}  // namespace

RunEnergy priceSteps(const energy::Site& site, const Result& result) {
  return RunPrices(site, result).price();
}

void addCosts(const Experiment& experiment, RunResult& result) {
  const System& system = experiment.executable.system;
  result.unpriced = energy::whyUnpriced(system.ipu);
  if (!result.unpriced.empty()) return;
  result.area = energy::areaOf(system.ipu);
  if (result.time.cycles == Cycles(0)) return;
  const RunPrices prices({system.ipu, system.ipus}, result);
  result.energy = prices.price();
  prices.addTiles(*result.energy);
  if (experiment.workload.samples > 0) result.energy->per_sample = prices.perSample(experiment);
}

}  // namespace ipusim::run
