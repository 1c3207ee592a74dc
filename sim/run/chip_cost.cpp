// SPDX-License-Identifier: Apache-2.0
#include "sim/run/chip_cost.h"

#include <charconv>
#include <numeric>

#include "models/ipu/energy/area.h"
#include "models/ipu/energy/price.h"

namespace ipusim::run {

namespace {

/// One IPU of the machine of an experiment. Separate layers have one IPU.
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

/// The counts of a part of a run, which has a share of its seconds.
class PartCounts {
 public:
  PartCounts(const Machine& ipu, const RunResult& run) : ipu_(ipu), run_(run) {}

  [[nodiscard]] energy::Counts of(const Activity& part) const {
    const auto all = static_cast<double>(run_.activity.tile_cycles.value());
    const double share = all > 0 ? static_cast<double>(part.tile_cycles.value()) / all : 0;
    return energy::countsOf(part, share * run_.time.seconds, ipu_);
  }

 private:
  const Machine& ipu_;
  const RunResult& run_;
};

/// The size of the batch in the parameters of the workload.
std::optional<double> batchOf(const RunResult& result) {
  for (const auto& [key, value] : result.parameters) {
    std::uint64_t batch = 0;
    const char* const end = value.data() + value.size();
    if (key != "batch" || std::from_chars(value.data(), end, batch).ptr != end) continue;
    if (batch > 0) return static_cast<double>(batch);
  }
  return std::nullopt;
}

double priorsOnly(const EnergyByPart& parts) {
  double joules = 0;
  for (std::size_t p = 0; p < kEnergyParts; ++p) {
    if (!energy::isIdentified(static_cast<EnergyPart>(p))) joules += parts[p];
  }
  return joules;
}

RunEnergy energyOf(const Experiment& experiment, const RunResult& result) {
  const Machine& ipu = ipuOf(experiment);
  const energy::PriceList prices({ipu, ipusOf(experiment)});
  const PartCounts counts(ipu, result);
  const energy::Counts run = counts.of(result.activity);
  RunEnergy energy;
  static_cast<EnergyResult&>(energy) = prices.price(run);
  energy.watts = energy.joules / result.time.seconds;
  if (result.work.flops > Flops(0)) {
    constexpr double kPico = 1e-12;
    const auto flops = static_cast<double>(result.work.flops.value());
    energy.picojoules_per_flop = energy.joules / flops / kPico;
  }
  if (const auto batch = batchOf(result)) energy.joules_per_sample = energy.joules / *batch;
  energy.priors_only_joules = priorsOnly(energy.by_part);
  energy.by_step.reserve(result.steps.size());
  for (const StepResult& step : result.steps) {
    energy.by_step.push_back(prices.priceWithin(counts.of(step.activity), run, energy));
  }
  energy.by_tile.reserve(result.tiles.size());
  for (const TileResult& tile : result.tiles) {
    energy.by_tile.push_back(sumOf(prices.priceWithin(counts.of(tile.activity), run, energy)));
  }
  return energy;
}

}  // namespace

void addCosts(const Experiment& experiment, RunResult& result) {
  const Machine& ipu = ipuOf(experiment);
  result.unpriced = energy::whyUnpriced(ipu);
  if (!result.unpriced.empty()) return;
  result.area = energy::areaOf(ipu);
  if (result.time.cycles > Cycles(0)) result.energy = energyOf(experiment, result);
}

}  // namespace ipusim::run
