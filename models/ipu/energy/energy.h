// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// What a run costs in joules and what a chip costs in mm^2, as plain data. Both are rough: medians
// over draws of constants that no public source has exactly, with bands of 90 %.

namespace ipusim::energy {

/// Where energy goes.
enum class EnergyPart : std::uint8_t {
  Leakage,
  Clock,
  Issue,
  HalfMac,
  FloatMac,
  Flop,
  Sram,
  Wire,
  Sync,
  Links,
  Host,
  Streaming,
  Platform,
};
inline constexpr std::size_t kEnergyParts = 13;

/// The name of a part in results, such as "half_mac".
const char* nameOf(EnergyPart part);

/// One entry per part, in joules.
using EnergyByPart = std::array<double, kEnergyParts>;

struct EnergyResult {
  double joules = 0;          ///< the median of the draws
  double low_joules = 0;      ///< the 5 % quantile
  double high_joules = 0;     ///< the 95 % quantile
  EnergyByPart by_part = {};  ///< adds up to `joules`: shares are those of the mean draw
  std::vector<double> draws;  ///< joules in each draw, in the order of all designs
};

/// Where the area of a die goes.
enum class AreaPart : std::uint8_t {
  Sram,
  Processor,  ///< of tiles, without AMP engines
  Amp,
  Exchange,
  Lanes,  ///< of IPU-Links and PCIe
  Other,
};
inline constexpr std::size_t kAreaParts = 6;

const char* nameOf(AreaPart part);

/// A die in mm^2, spare tiles included.
struct AreaResult {
  double die_mm2 = 0;
  double low_die_mm2 = 0;
  double high_die_mm2 = 0;
  double tile_mm2 = 0;
  std::array<double, kAreaParts> by_part = {};  ///< adds up to `die_mm2`
  bool larger_than_reticle = false;             ///< no such chip can be made in one piece
  std::vector<double> draws;                    ///< mm^2 in each draw
};

}  // namespace ipusim::energy
