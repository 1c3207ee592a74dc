// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim {

/// Runs the programs on a Chip of its own, with a SystemC kernel of its own, and says what each
/// tile spent where. This header includes no SystemC. Not to be called from two threads, nor where
/// a simulation has been elaborated: SystemC has one kernel per process. `observer` may be null.
/// Throws as `verify` does, InternalError where two transmissions meet on a port, and CountError at
/// kLastCycle.
ChipResult simulateChip(const ChipPrograms& programs, Observer* observer = nullptr);

}  // namespace ipusim
