// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/activity.h"
#include "ipusim/machine.h"
#include "models/ipu/energy/draws.h"
#include "models/ipu/energy/energy.h"

namespace ipusim::energy {

/// What a run does, one count per part of the energy: seconds for leakage and platform,
/// tile-cycles, bundles, operations, bytes, pitches of a tile that a word of wire is long, syncs of
/// a tile, and bits beyond the chip.
using Counts = std::array<double, kEnergyParts>;

/// The counts of an activity that takes `seconds`. Words on the spine run all of it, whoever
/// listens. A word that leaves a tile or comes in is loaded or stored there.
Counts countsOf(const Activity& activity, double seconds, const Machine& ipu);

/// Whether a published row narrows the constant of a part, be it weakly. Throws ConfigError.
bool isIdentified(EnergyPart part);

/// The joules in parts whose constants no published row narrows. Throws ConfigError.
double priorsOnly(const EnergyByPart& parts);

/// Equal IPUs that are priced together.
struct Site {
  const Machine& ipu;
  std::uint32_t ipus = 1;
};

/// Why energy and area of a machine are not modelled. Empty when they are.
std::string whyUnpriced(const Machine& machine);

/// Joules per count, one entry per part:
///
///   leakage   P20 2^((T - 20)/28) die/823 s^1.5 of every IPU, s = (V / V of the GC200)^2
///   clock to sync   s * energy of one; for a wire 32 bits * energy of a mm * pitch of a tile
///   links, host, streaming   energy of one bit
///   platform   watts of each machine that holds IPUs and their streaming memory
///
/// An IPU without streaming memory stands on no platform. The pitch is the side of a square tile.
/// Source: docs/concepts/energy.md. Calibrated: leakage, clock, platform, wires and the voltage of
/// Bow; no row identifies the others. Valid for: N7. Needs
/// whyUnpriced() to be empty.
EnergyByPart pricesOf(const Site& site, const Values& values);

/// The prices of a site in all draws.
class PriceList {
 public:
  PriceList(const Site& site, const std::vector<Values>& draws);
  /// With the shipped draws. Throws ConfigError when the constants are broken.
  explicit PriceList(const Site& site) : PriceList(site, shippedDraws()) {}

  /// The energy of a whole run.
  [[nodiscard]] EnergyResult price(const Counts& run) const;
  /// The energy of a part of a run, such as a step or a tile. Parts that add up to the counts of
  /// the run add up to its joules.
  [[nodiscard]] EnergyByPart priceWithin(const Counts& part, const Counts& run,
                                         const EnergyResult& whole) const;

 private:
  [[nodiscard]] EnergyByPart meanOf(const Counts& counts) const;

  std::vector<EnergyByPart> draws_;
  EnergyByPart mean_ = {};
};

/// The energy of an activity of one IPU that takes `seconds`. Throws ConfigError when the constants
/// are broken. Needs whyUnpriced() to be empty.
EnergyResult priceEnergy(const Activity& activity, double seconds, const Machine& ipu);

/// The share of draws in which the first is less than the second; equal ones count half. Needs
/// lists of one length.
double shareBelow(const std::vector<double>& one, const std::vector<double>& other);

}  // namespace ipusim::energy
