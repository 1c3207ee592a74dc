// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/result.h"
#include "models/ipu/engines/chip/simulate_chip.h"
#include "models/ipu/program/system_program.h"
#include "sim/compile/executable.h"

namespace ipusim::run {

/// Which IPUs of a system an engine simulates. Both give equal times.
enum class SimulatedChips : std::uint8_t {
  Distinct,  ///< one of those with equal programs
  Every,
};

/// What an engine measured: all tiles of all IPUs, and one entry per set of links. A single IPU has
/// no links.
struct Measured {
  ChipResult tiles;
  std::vector<LinkUse> links;
};

/// Runs the programs of `executable` on an engine. The observer, which may be null, hears of single
/// IPUs only. `waves`, which may be null, is written for single IPUs on SystemC only.
Measured measure(const compiler::Executable& executable, Engine engine, Observer* observer,
                 SimulatedChips chips = SimulatedChips::Distinct,
                 const models::WaveFile* waves = nullptr);

}  // namespace ipusim::run
