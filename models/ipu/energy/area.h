// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "ipusim/machine.h"
#include "models/ipu/energy/draws.h"
#include "models/ipu/energy/energy.h"

namespace ipusim::energy {

/// The published die of a GC200 in TSMC N7. Source: hardwareluxx.de, report from Hot Chips 33.
inline constexpr double kGc200Mm2 = 823;
/// The largest field that a lithography machine exposes, 26 mm by 33 mm. No die is larger.
inline constexpr double kReticleMm2 = 858;

/// What a tile takes, in mm^2.
struct TileArea {
  double sram = 0;
  double processor = 0;
  double amp = 0;

  [[nodiscard]] double total() const { return sram + processor + amp; }
};

/// The parts of a die in mm^2.
struct DieArea {
  TileArea tile;
  std::array<double, kAreaParts> by_part = {};

  [[nodiscard]] double total() const;
};

/// The area of a die in N7, scaled from the GC200.
///
///   tile = SRAM * a + processor + MACs per cycle * b
///   die  = built tiles * tile + tiles^2 * exchange bits * c + lanes * d + other
///
/// a, b and the processor are the shares of the GC200's die. The exchange is what is left of that
/// die, so that the GC200 of 624 KiB a tile has its published area in every draw. Of 24 tiles built
/// 23 are used. The exchange is a crossbar: every column of wires meets every tile. The number of
/// lanes is that of the GC200.
///
/// Source: shares of the die, spare tiles and area are from reports of Hot Chips 33
/// (hardwareluxx.de, anandtech.com). Calibrated: the GC200 closes by construction. Valid for: N7.
/// The load width of a tile does not follow its AMP engines, and yield is not modelled.
DieArea dieAreaOf(const Architecture& design, const Values& values);

/// The area of a design over the shipped draws. Throws ConfigError when the constants are broken.
AreaResult areaOf(const Architecture& design);

}  // namespace ipusim::energy
