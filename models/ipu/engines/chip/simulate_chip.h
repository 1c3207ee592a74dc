// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim::models {

/// A file of waves of some tiles' signals (see TileSignals), for wave viewers.
struct WaveFile {
  std::filesystem::path path;        ///< ends in .vcd
  std::vector<std::uint32_t> tiles;  ///< tiles of the chip
};

/// Runs the programs on a Chip and a SystemC kernel of its own, and returns what each tile spent
/// where. This header includes no SystemC.
///
/// SystemC has one kernel per process: call this from one thread only, and not after a simulation
/// has been elaborated. `observer` may be null. Throws what `verify` throws, InternalError when two
/// transmissions meet on a port, and CountError at kLastCycle.
ChipResult simulateChip(const ChipPrograms& programs, Observer* observer = nullptr);

/// Also writes waves while the chip runs. The file is there when the run has ended, and not before;
/// a file that was there is replaced then. Throws ConfigError when it cannot be written.
ChipResult simulateChip(const ChipPrograms& programs, Observer* observer, const WaveFile& waves);

}  // namespace ipusim::models
