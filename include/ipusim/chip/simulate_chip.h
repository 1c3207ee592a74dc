// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// Runs the programs on a Chip and a SystemC kernel of its own, and returns what each tile spent
/// where. This header includes no SystemC.
///
/// SystemC has one kernel per process: call this from one thread only, and not after a simulation
/// has been elaborated. `observer` may be null. Throws what `verify` throws, InternalError when two
/// transmissions meet on a port, and CountError at kLastCycle.
ChipResult simulateChip(const ChipPrograms& programs, Observer* observer = nullptr);

}  // namespace ipusim
