// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/program/tile_program.h"

namespace ipusim::models {

/// Runs the programs on the chip and says what each tile spent where. The caller needs no `sc_main`,
/// and may have one. Not to be called from two threads: SystemC has one kernel per process.
/// Throws as `verify` does, InternalError where uses of a port overlap, and CountError at
/// kLastCycle.
ChipResult simulateChip(const ChipPrograms& programs);

}  // namespace ipusim::models
