// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/energy/load.h"

#include "models/ipu/energy/geometry.h"

namespace ipusim::calibrate {

namespace {

constexpr double kBytesPerWord = 4;
constexpr double kFlopsPerMac = 2;

/// What the IPUs of a load do in a second.
energy::Counts countsOf(const PowerLoad& load, const LoadDraw& draw) {
  const Machine& ipu = load.machine.ipu;
  const LoadWork& work = load.work;
  const double cycles = load.clock_hz * ipu.tiles * load.machine.ipus;
  const double macs =
      ipu.peakFlopsPerCycle(ElementType::Half, ElementType::Half) / kFlopsPerMac / ipu.tiles;
  energy::Counts counts{};
  const auto set = [&counts](energy::EnergyPart part, double count) {
    counts[static_cast<std::size_t>(part)] = count;
  };
  set(energy::EnergyPart::Leakage, 1);
  set(energy::EnergyPart::Platform, 1);
  set(energy::EnergyPart::Clock, cycles);
  set(energy::EnergyPart::Issue,
      cycles * work.compute_share * energy::valueAt(work.issue_share, draw.issue_score));
  set(energy::EnergyPart::HalfMac, cycles * macs * energy::valueAt(work.amp_share, draw.amp_score));
  set(energy::EnergyPart::Sram, cycles * (work.compute_share * work.bytes_per_compute_cycle +
                                          work.exchange_share * 2 * kBytesPerWord));
  set(energy::EnergyPart::Wire, cycles * work.exchange_share * energy::meanPathPitches(ipu));
  return counts;
}

}  // namespace

double wattsOf(const PowerLoad& load, const energy::Values& values, const LoadDraw& draw) {
  energy::Values at_load = values;
  at_load[energy::Constant::DieCelsius] = load.celsius;
  const energy::EnergyByPart prices =
      energy::pricesOf({load.machine.ipu, load.machine.ipus}, at_load);
  const energy::Counts counts = countsOf(load, draw);
  double watts = load.on_card ? draw.card_watts : 0;
  for (std::size_t p = 0; p < energy::kEnergyParts; ++p) watts += prices[p] * counts[p];
  return watts;
}

}  // namespace ipusim::calibrate
